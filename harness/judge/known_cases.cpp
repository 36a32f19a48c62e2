#include "judge/known_cases.hpp"

#include "judge/ask.hpp"

#include <mutex>

namespace assay {

KnownCase known(const Exercise& exercise, Outcome<Problem> problem) {
    KnownCase known;
    if (!problem) {
        known.failure = problem.failure();
        return known;
    }
    known.problem = std::make_shared<const Problem>(std::move(*problem));
    Outcome<Truths> truth = truth_of(exercise, *known.problem);
    if (truth)
        known.truth = std::make_shared<const Truths>(std::move(*truth));
    else
        known.failure = truth.failure();
    return known;
}

struct KnownCases::Entry {
    std::once_flag once;
    KnownCase made;
};

KnownCases::KnownCases(const Exercise& exercise, std::uint64_t seed) : exercise_(exercise), seed_(seed) {
    for (const Level& level : exercise.levels) {
        std::vector<std::unique_ptr<Entry>>& cases = entries_.emplace_back();
        for (std::size_t i = 0; i < level.cases.size(); ++i) cases.push_back(std::make_unique<Entry>());
    }
}

KnownCases::~KnownCases() = default;

const KnownCase& KnownCases::at(std::size_t level, std::size_t one) const {
    Entry& entry = *entries_.at(level).at(one);
    std::call_once(entry.once,
                   [&] { entry.made = known(exercise_, problem_of(exercise_.levels[level].cases[one], seed_)); });
    return entry.made;
}

} // namespace assay
