// Wrong answers that need no oracle to name: a constant ratio to the truth, an input handed back, a lower precision.
#ifndef ASSAY_JUDGE_PATTERNS_HPP
#define ASSAY_JUDGE_PATTERNS_HPP

#include "core/finding.hpp"
#include "core/problem.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace assay {

/// Follows every pattern over the failing cases. One is told only where it held on all of them, on at least three
/// elements that could have told otherwise. Ids and what they claim:
///   pattern:zero        every element is 0
///   pattern:input       the output is one of the inputs
///   pattern:previous    the output is the one before
///   pattern:transposed  the right values, written in another order of axes
///   pattern:ratio       the right values times one constant
///   pattern:offset      the right values plus one constant
///   pattern:row-scale   each row (last axis) is right but for a factor of its own: weights that do not sum to 1
///   pattern:from-index  right before an index of one axis, wrong from there on
///   pattern:rounded     every element is a float16 or bfloat16 number
///   pattern:precision   errors of the size of float16's or bfloat16's rounding
class Patterns {
  public:
    /// One failing case; `got` has the truth's shape. `previous` may be null.
    void add(const Problem& problem, const Outputs& got, const Truths& truth, const Outputs* previous);
    /// A failing case that no pattern can be read from (an answer of the wrong shape).
    void add_unreadable() { readable_ = false; }

    /// The first pattern, in the order above, that holds.
    std::optional<Diagnosis> result() const;

  private:
    struct Claim {
        std::string sentence;
        int evidence = 0; // elements that could have told otherwise, over all cases
    };
    /// What one output of one case shows: claims by key, "pattern:ratio 0.5". A key holds the claim's constants, so that
    /// they must be the same in every case.
    static std::map<std::string, Claim> read(const Problem& problem, const Array& got, const Truth& truth,
                                             const Array* previous);

    bool readable_ = true;
    bool begun_ = false;
    std::map<std::string, Claim> held_;
};

} // namespace assay

#endif
