// Wrong answers that need no oracle to name: a constant ratio to the truth, an input handed back, a lower precision.
#ifndef ASSAY_JUDGE_PATTERNS_HPP
#define ASSAY_JUDGE_PATTERNS_HPP

#include "core/finding.hpp"
#include "core/problem.hpp"

#include <optional>
#include <string>
#include <vector>

namespace assay {

/// Follows every pattern over the failing cases. One is told only where it held on every output that was wrong, in all
/// of them, with the same constants, on at least three elements that could have told otherwise. Ids and claims:
///   pattern:zero        every element is 0
///   pattern:input       the output is one of the inputs
///   pattern:previous    the output is the one of the case before
///   pattern:transposed  the right values, written in another order of axes
///   pattern:ratio       the right values times one constant
///   pattern:offset      the right values plus one constant
///   pattern:row-scale   each row (last axis; rank 2 and more) is right but for a factor of its own: weights
///                       that do not sum to 1
///   pattern:rounded     every element is a float16 or bfloat16 number
///   pattern:precision   errors of the size of float16's or bfloat16's rounding
///   pattern:from-index  right before an index of one axis, wrong from there on
class Patterns {
  public:
    struct Claim {
        std::string id;
        std::string detail;  // what must be the same in every case ...
        double constant = 0; // ... this up to a part in a thousand
        std::string sentence;
        int evidence = 0; // elements that could have told otherwise, over all cases
    };

    /// One failing case; `got` has the truth's shape. `previous` may be null.
    void add(const Problem& problem, const Outputs& got, const Truths& truths, const Outputs* previous);
    /// A failing case that no pattern can be read from (an answer of the wrong shape).
    void add_unreadable();

    /// The first pattern, in the order above, that holds.
    std::optional<Diagnosis> result() const;

  private:
    bool begun_ = false;
    std::vector<Claim> held_;

    void keep_shared(std::vector<Claim> claims);
};

} // namespace assay

#endif
