// Makes a failing problem small: shape first, then values to small integers.
#ifndef ASSAY_JUDGE_SHRINK_HPP
#define ASSAY_JUDGE_SHRINK_HPP

#include "core/exercise.hpp"
#include "core/problem.hpp"
#include "judge/spec.hpp"

#include <chrono>
#include <functional>

namespace assay {

/// A call costs 1 and 1 more for every 4096 elements of its inputs, so that the same attempt is shrunk to the same case
/// on a busy machine. The clock stops only what is far slower than that.
struct ShrinkLimits {
    int calls = 200;
    std::chrono::milliseconds time{3000};
};

struct Shrunk {
    Problem problem;
    CaseSpec spec; // how to get it from the case it began as
    int calls = 0;
};

/// Tries, in turn: fewer indices of each dimension (largest first), row-major strides, optional fields absent, flags
/// false, then values: 0, 1, whole numbers, and element by element where a tensor has at most 24 of them;
/// and begins again while that helps. The steps are written so that each dimension and each field appears once.
///
/// `still_fails` asks the attempt and says whether the candidate fails in the same way (same verdict and kind of
/// finding). Deterministic: the same problem and predicate give the same result (the time limit apart).
/// `suspects` are tried first, each alone, up to the first that fails.
/// `valid` guards the contract's preconditions; where either throws, the candidate counts as refused.
Shrunk shrink(const CaseSpec& start, const Problem& problem, const std::function<bool(const Problem&)>& valid,
              const std::function<bool(const Problem&)>& still_fails, const ShrinkLimits& limits = {},
              const std::vector<Suspects>& suspects = {});

} // namespace assay

#endif
