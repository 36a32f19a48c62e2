// Problems drawn from a seed, in range, one function a route.
#ifndef ASSAY_MEMORY_CASES_SEEDED_HPP
#define ASSAY_MEMORY_CASES_SEEDED_HPP

#include "cases.hpp"

namespace assay::memory_judge {

Problem forward_drawn(Random& random);
Problem backward_drawn(Random& random);
Problem state_drawn(Random& random);
Problem parameters_drawn(Random& random);
Problem cache_drawn(Random& random);
Problem activations_drawn(Random& random);
Problem split_drawn(Random& random);
Problem stage_drawn(Random& random);
Problem fit_drawn(Random& random);

/// A case whose numbers change with the seed.
Case seeded(std::string id, Problem (*drawn)(Random&));

} // namespace assay::memory_judge

#endif
