// What shrinking has done to a problem so far, in the order in which a spec writes it.
#ifndef ASSAY_JUDGE_PLAN_HPP
#define ASSAY_JUDGE_PLAN_HPP

#include "core/problem.hpp"
#include "judge/spec.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace assay {

/// One entry a dimension and a field. Every candidate is made by applying a whole plan to the problem that shrinking
/// began from, so that the spec gives exactly the problem that failed.
struct Plan {
    struct Dimension {
        std::string name;
        std::int64_t extent = 0;           // of the problem it began from
        std::vector<std::int64_t> indices; // kept ones
    };
    struct Change {
        std::string field;
        bool packed = false;
        std::optional<CaseSpec::Step> value; // set, int or none
    };
    std::vector<Dimension> dimensions;
    std::vector<Change> changes;

    /// Everything kept. Dimensions come in the order in which the fields name them.
    static Plan of(const Problem& problem);

    std::vector<CaseSpec::Step> steps() const;
};

/// Bit for bit the same fields, layouts included.
bool same(const Problem& a, const Problem& b);

/// The shortest decimal that is stored in `dtype` as `value` is.
double shortest(Dtype dtype, double value);

} // namespace assay

#endif
