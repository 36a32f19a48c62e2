#include "hunt/remaining.hpp"

#include "judge/compare.hpp"

#include <algorithm>
#include <bit>

namespace assay {

std::optional<int> count_remaining(const Hunt& hunt, const Exercise& exercise, const Template& whole,
                                   const Planted& planted, Attempt& attempt, std::uint64_t seed) {
    std::vector<unsigned> like; // subsets that no case so far has told from the attempt
    for (unsigned subset = 0; subset < 1u << planted.bugs.size(); ++subset) like.push_back(subset);
    const Level* level = nullptr;
    for (const HuntCase& one : cases_of(hunt, exercise, seed)) {
        if (one.level != level) attempt.fresh();
        level = one.level;
        const Outcome<Answer> answer = attempt.answer(*one.level, one.problem);
        if (!answer) return std::nullopt;
        std::erase_if(like, [&](unsigned subset) {
            return !agrees(answer->outputs, run_choices(hunt, with_bugs(hunt, whole, planted, subset), one.problem));
        });
        if (like.empty()) return std::nullopt;
    }
    int least = std::popcount(like.front());
    for (const unsigned subset : like) least = std::min(least, std::popcount(subset));
    return least;
}

} // namespace assay
