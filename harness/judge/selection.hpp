// What --level and --case choose.
#ifndef ASSAY_JUDGE_SELECTION_HPP
#define ASSAY_JUDGE_SELECTION_HPP

#include "core/exercise.hpp"
#include "core/outcome.hpp"
#include "judge/check.hpp"

#include <optional>
#include <vector>

namespace assay {

/// 1, 2, ... for the must levels and, going on, for the bonus levels; one entry a level of the exercise.
std::vector<int> level_numbers(const Exercise& exercise);

/// The levels to run, or the one case and the problem to ask.
struct Selection {
    struct Single {
        const Level* level = nullptr;
        const Case* one = nullptr;
        Problem problem;
    };
    std::vector<const Level*> levels;
    std::optional<Single> single;
};

/// Failure (SKIP, wrong usage): no such level, no such case, or a spec that does not fit or breaks the contract's
/// preconditions. Failure (JE): the case could not be made.
Outcome<Selection> select(const Exercise& exercise, const CheckOptions& options);

} // namespace assay

#endif
