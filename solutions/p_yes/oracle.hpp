// The truth of `p_yes`, the error bound of every item, and each named mistake as a switch.
#ifndef ASSAY_P_YES_ORACLE_HPP
#define ASSAY_P_YES_ORACLE_HPP

#include "core/exercise.hpp"

#include <limits>
#include <vector>

namespace assay::p_yes_judge {

/// The exercise's oracle, with any number of mistakes at once.
Truths oracle(const Problem& problem, const Slips& on);

/// Every mistake that the oracle can make.
std::vector<Mistake> mistakes();

/// Fields that are there and fit each other, and what the contract asks of levels 1 and 2.
bool valid(const Problem& problem);

/// The answers by route.
Truths score_level(const Problem& problem, const Slips& on);
Truths checked_level(const Problem& problem, const Slips& on);
Truths tokens_level(const Problem& problem, const Slips& on);
Truths calibrate_level(const Problem& problem, const Slips& on);
Truths assess_level(const Problem& problem, const Slips& on);

/// A careful float32 implementation of `score` and `score_f16`, for error figures.
Outputs plain(const Problem& problem);

using real = long double;
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// In which a row is computed: unit roundoff, least normal and subnormal number, largest number.
struct Arithmetic {
    double unit, normal, subnormal, largest;
};
inline constexpr Arithmetic float32{0x1p-24, 0x1p-126, 0x1p-149, 0x1.fffffep127};
inline constexpr Arithmetic float64{0x1p-53, 0x1p-1022, 0x1p-1074, 0x1.fffffffffffffp1023};

/// Of all logits of a row.
struct Vocabulary {
    real max = 0;     // -infinity where all are banned
    real ln_sum = 0;  // ln sum exp(x - max)
    bool bad = false; // a NaN or +infinity among them
};

/// One number of a row's answer, and how far a careful implementation may stray from it.
struct Bounded {
    double value, bound;
};

/// What is read off one row.
struct Reading {
    Bounded log_yes, log_no, p, mass;
};

/// `yes` and `no`: the logits of the two groups' ids. `size`: tokens in the vocabulary.
Reading read_row(const std::vector<real>& yes, const std::vector<real>& no, const Vocabulary& vocabulary,
                 std::int64_t size, const Arithmetic& in, const Slips& on);

/// Of logits read one by one.
template <class Read> Vocabulary survey(std::int64_t size, Read logit);

} // namespace assay::p_yes_judge

#include <cmath>

namespace assay::p_yes_judge {

template <class Read> Vocabulary survey(std::int64_t size, Read logit) {
    Vocabulary seen;
    seen.max = -infinity;
    for (std::int64_t v = 0; v < size; ++v) {
        const double x = logit(v);
        seen.bad = seen.bad || !(x < infinity);
        if (x > seen.max) seen.max = x;
    }
    if (seen.bad || seen.max == -infinity) return seen;
    real sum = 0;
    for (std::int64_t v = 0; v < size; ++v) {
        const real below = static_cast<real>(logit(v)) - seen.max;
        if (below > -60) // less than 1e-26 of the sum each, and there are not that many
            sum += std::exp(below);
    }
    seen.ln_sum = std::log(sum);
    return seen;
}

} // namespace assay::p_yes_judge

#endif
