// Which part of the oracle answers a route.
#include "oracle.hpp"

#include <stdexcept>

namespace assay::parallelism_judge {

Truths oracle(const Problem& problem, const Slips& on) {
    if (problem.route == "shard") return shard_truths(problem, on);
    if (problem.route == "forward" || problem.route == "sequence") return layer_truths(problem, on);
    if (problem.route == "count_traffic") return traffic_truths(problem, on);
    if (problem.route == "count_bubble") return bubble_truths(problem, on);
    if (problem.route == "write_schedule") return schedule_truths(problem, on);
    throw std::logic_error("parallelism has no route " + problem.route);
}

} // namespace assay::parallelism_judge
