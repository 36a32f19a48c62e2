// Diagnosis over a level's cases, with the search for a case that parts two explanations; and the smallest failing
// case.
#include "judge/explain.hpp"

#include "core/random.hpp"
#include "judge/explain_items.hpp"
#include "judge/print.hpp"
#include "judge/shrink.hpp"

#include <algorithm>
#include <exception>
#include <fmt/format.h>

namespace assay {

namespace {

/// Narrows a diagnoser by problems that two of its candidates must answer differently.
class Parting {
  public:
    Parting(const Exercise& exercise, Attempt& attempt, std::vector<std::string> routes, Diagnoser& diagnoser)
        : exercise_(exercise), attempt_(attempt), routes_(std::move(routes)), diagnoser_(diagnoser) {}

    void by_cases(std::uint64_t seed) {
        for (const Level& level : exercise_.levels)
            for (const Case& one : level.cases)
                if (wanted()) ask_if_it_parts(level, one.make(seed));
    }

    void by_random_problems(std::uint64_t seed) {
        if (!exercise_.random || !exercise_.level_of) return;
        constexpr int draws = 60; // most ask another route, or do not part
        Random seeds(seed, "parting");
        for (int draw = 0; draw < draws && wanted(); ++draw) {
            const Problem problem = exercise_.random(seeds.next());
            const std::string id = exercise_.level_of(problem);
            for (const Level& level : exercise_.levels)
                if (level.id == id) ask_if_it_parts(level, problem);
        }
    }

  private:
    const Exercise& exercise_;
    Attempt& attempt_;
    std::vector<std::string> routes_;
    Diagnoser& diagnoser_;
    int asks_left_ = 6;

    bool wanted() const { return asks_left_ > 0 && diagnoser_.ambiguous(); }

    void ask_if_it_parts(const Level& level, const Problem& problem) {
        if (std::find(routes_.begin(), routes_.end(), problem.route) == routes_.end()) return;
        if ((exercise_.valid && !exercise_.valid(problem)) || !diagnoser_.parts(problem)) return;
        --asks_left_;
        attempt_.fresh();
        const Outcome<Answer> answer = attempt_.answer(level, problem);
        if (answer)
            diagnoser_.narrow(problem, answer->outputs);
        else
            asks_left_ = 0; // it may be a time limit, and six of those are long
    }
};

class Explanation {
  public:
    Explanation(const Exercise& exercise, Attempt& attempt, std::uint64_t seed, std::span<const Evidence> cases,
                WrongAnswers wrong_answers)
        : exercise_(exercise), attempt_(attempt), seed_(seed), cases_(cases), wrong_answers_(std::move(wrong_answers)) {
        for (const Evidence& one : cases)
            if (is_diagnosable(one.asked)) routes_.push_back(one.problem->route);
    }

    std::vector<Diagnosis> run() {
        if (routes_.empty()) return {};
        if (std::vector<Diagnosis> shown = by_first_run(); !shown.empty()) return shown;
        std::vector<Diagnosis> by_one = of(single_candidates(exercise_));
        if (!by_one.empty() || !exercise_.combined) return by_one;
        std::vector<Diagnosis> by_two = of(pair_candidates(exercise_));
        return !by_two.empty() ? by_two : explain_items(exercise_, cases_, answers());
    }

  private:
    const Exercise& exercise_;
    Attempt& attempt_;
    std::uint64_t seed_;
    std::span<const Evidence> cases_;
    WrongAnswers wrong_answers_;
    std::vector<std::string> routes_; // of diagnosable cases
    std::optional<Truths> last_;

    /// What the first failing run shows: a later one may fail by what follows from it.
    std::vector<Diagnosis> by_first_run() const {
        if (!exercise_.shown) return {};
        const auto first =
            std::find_if(cases_.begin(), cases_.end(), [](const Evidence& one) { return is_diagnosable(one.asked); });
        const std::string id = exercise_.shown(*first->problem, first->asked.got);
        for (const Mistake& mistake : exercise_.mistakes)
            if (mistake.id == id) return {{id, "the run fails by " + mistake.sentence}};
        return {};
    }

    WrongAnswers answers() {
        if (wrong_answers_) return wrong_answers_;
        return [this](const Problem& problem, const Candidate& candidate) -> const std::optional<Truths>& {
            last_ = wrong_answer_of(exercise_, problem, candidate);
            return last_;
        };
    }

    std::vector<Diagnosis> of(std::vector<Candidate> candidates) {
        Diagnoser diagnoser(exercise_, std::move(candidates), wrong_answers_);
        for (std::size_t i = 0; i < cases_.size(); ++i) {
            const Evidence& one = cases_[i];
            if (!is_diagnosable(one.asked)) continue;
            const bool same_process = i > 0 && cases_[i - 1].asked.verdict == Verdict::AC;
            diagnoser.add_failing(*one.problem, one.asked.got, *one.truth,
                                  same_process ? &cases_[i - 1].asked.got : nullptr);
        }
        for (const Evidence& one : cases_) // another route may be other code, without the mistake
            if (one.asked.verdict == Verdict::AC &&
                std::find(routes_.begin(), routes_.end(), one.problem->route) != routes_.end())
                diagnoser.add_passing(*one.problem, *one.truth);
        try {
            Parting parting(exercise_, attempt_, routes_, diagnoser);
            parting.by_cases(seed_);
            parting.by_random_problems(seed_);
        } catch (const std::exception&) {
            // a random problem that the exercise itself cannot answer parts nothing; what fits so far stands
        }
        std::vector<Diagnosis> result = diagnoser.result();
        if (exercise_.combined) reword(diagnoser, result);
        return result;
    }

    /// A calculator's diagnosis says which number it was read off.
    void reword(const Diagnoser& diagnoser, std::vector<Diagnosis>& result) {
        for (const Candidate& candidate : diagnoser.fitting()) {
            Diagnosis told = told_of(exercise_, candidate, cases_);
            for (Diagnosis& one : result)
                if (one.mistake == told.mistake) one.sentence = told.sentence;
        }
    }
};

} // namespace

std::vector<Diagnosis> explain(const Exercise& exercise, Attempt& attempt, std::uint64_t seed,
                               std::span<const Evidence> cases, const WrongAnswers& wrong_answers) {
    try {
        return Explanation(exercise, attempt, seed, cases, wrong_answers).run();
    } catch (const std::exception&) {
        return {}; // a mistake's switch threw: no diagnosis, and verify tells the exercise's author
    }
}

Smallest smallest_of(const Exercise& exercise, Attempt& attempt, std::uint64_t seed, const Evidence& failing,
                     const ShrinkLimits& limits) {
    Smallest smallest;
    smallest.level = failing.level->id;
    const auto finding_of = [](const Asked& asked) {
        if (!asked.findings.empty()) return asked.findings.front();
        Finding none;
        none.note = asked.reason;
        return none;
    };
    const Finding first = finding_of(failing.asked);
    const bool is_choice = !first.unit.empty() && first.unit.front() == '(';
    smallest.finding = first;

    Outcome<CaseSpec> start = parse_spec(failing.spec);
    Shrunk shrunk{*failing.problem, start ? *start : CaseSpec{failing.spec, {}}, 0};
    Outputs got = failing.asked.got;
    if (failing.asked.verdict != Verdict::TLE) {
        const auto valid = [&](const Problem& problem) { return !exercise.valid || exercise.valid(problem); };
        const auto still_fails = [&](const Problem& problem) {
            const Outcome<Truths> truth = truth_of(exercise, problem);
            if (!truth) return false;
            const Asked asked = ask(exercise, *failing.level, attempt, problem, *truth);
            if (asked.verdict != Verdict::AC) attempt.fresh();
            if (asked.verdict != failing.asked.verdict) return false;
            const Finding* same = find_finding(asked.findings, first.kind, first.tensor);
            if (asked.verdict == Verdict::WA && same == nullptr) return false;
            if (same != nullptr && is_choice && same->got != first.got) return false; // another rule was broken
            smallest.finding = same != nullptr ? *same : finding_of(asked);
            got = asked.got;
            return true;
        };
        attempt.fresh();
        std::vector<Suspects> suspects;
        if (exercise.suspects && failing.asked.verdict == Verdict::WA)
            suspects = exercise.suspects(*failing.problem, got);
        shrunk = shrink(shrunk.spec, *failing.problem, valid, still_fails, limits, suspects);
    }
    if (exercise.story && failing.asked.verdict == Verdict::WA) smallest.story = exercise.story(shrunk.problem, got);
    smallest.calls = shrunk.calls;
    smallest.spec = shrunk.spec.text();
    smallest.inputs = input_lines(exercise, shrunk.problem);
    smallest.dimensions = dimensions_of(shrunk.problem);
    smallest.replay = fmt::format("assay check {} --case {}", exercise.id, smallest.spec);
    if (seed != 0) smallest.replay += fmt::format(" --seed {}", seed);
    return smallest;
}

} // namespace assay
