// Plays every mistake, in every form, through every level, and holds the results against what the exercise promises.
#include "judge/verify.hpp"

#include "judge/check.hpp"
#include "judge/compare.hpp"
#include "judge/explain.hpp"
#include "judge/oracle_attempt.hpp"

#include <algorithm>
#include <exception>
#include <fmt/format.h>
#include <set>

namespace assay {

namespace {

/// A case with its right answer.
struct Asking {
    const Level* level = nullptr;
    const Case* one = nullptr;
    std::shared_ptr<const Problem> problem;
    std::shared_ptr<const Truths> truth;
};

std::string in_words(const Mistake& mistake, int form) {
    return mistake.forms() == 1 ? "mistake " + mistake.id : fmt::format("mistake {} (form {})", mistake.id, form);
}

class Verification {
  public:
    Verification(const Exercise& exercise, const KnownCases& known) : exercise_(exercise), known_(known) {}

    SelfTest run() {
        check_names();
        for (std::size_t mistake = 0; mistake < exercise_.mistakes.size(); ++mistake)
            for (int form = 0; form < exercise_.mistakes[mistake].forms(); ++form) enter({mistake, form});
        if (!ask_right_oracle()) return std::move(result_);
        for (const Level& level : exercise_.levels) try_level(level);
        for (std::size_t i = 0; i < candidates_.size(); ++i) judge_trial(candidates_[i], result_.mistakes[i]);
        judge_cases();
        return std::move(result_);
    }

  private:
    const Exercise& exercise_;
    const KnownCases& known_;
    std::vector<Candidate> candidates_; // as in result_.mistakes
    SelfTest result_;
    std::vector<Asking> askings_;
    /// Of the level that is being tried.
    std::vector<const Asking*> cases_;
    std::vector<std::vector<std::optional<Truths>>> wrong_; // by case, then candidate
    std::optional<Truths> other_;                           // a wrong answer to some other problem

    void fault(std::string sentence) { result_.faults.push_back(std::move(sentence)); }

    bool has_level(const std::string& id) const {
        return std::any_of(exercise_.levels.begin(), exercise_.levels.end(),
                           [&](const Level& l) { return l.id == id; });
    }

    void check_names() {
        std::set<std::string> levels, cases, mistakes;
        for (const Level& level : exercise_.levels) {
            if (!levels.insert(level.id).second) fault(fmt::format("two levels are called {}", level.id));
            if (!level.requires_level.empty() && !has_level(level.requires_level))
                fault(fmt::format("level {} requires level {}, which there is not", level.id, level.requires_level));
            if (level.cases.empty()) fault(fmt::format("level {} has no cases", level.id));
            for (const Case& one : level.cases)
                if (!cases.insert(one.id).second) fault(fmt::format("two cases are called {}", one.id));
        }
        for (const Mistake& mistake : exercise_.mistakes)
            if (!mistakes.insert(mistake.id).second) fault(fmt::format("two mistakes are called {}", mistake.id));
        for (const Mistake& mistake : exercise_.mistakes) {
            if (mistake.levels.empty()) fault(fmt::format("mistake {} names no level", mistake.id));
            for (const std::string& level : mistake.levels)
                if (!has_level(level))
                    fault(fmt::format("mistake {} belongs to level {}, which there is not", mistake.id, level));
            for (const std::string& twin : mistake.twins)
                if (mistakes.count(twin) == 0)
                    fault(fmt::format("mistake {} has the twin {}, which there is not", mistake.id, twin));
        }
    }

    void enter(const Candidate& candidate) {
        const Mistake& mistake = exercise_.mistakes[candidate.mistake];
        candidates_.push_back(candidate);
        MistakeTrial trial;
        trial.mistake = mistake.id;
        trial.form = candidate.form;
        trial.belongs = mistake.levels[static_cast<std::size_t>(candidate.form)];
        result_.mistakes.push_back(std::move(trial));
    }

    /// False where a case has no right answer, so that nothing can be tried.
    bool ask_right_oracle() {
        result_.right_oracle_passes = true;
        for (std::size_t level = 0; level < exercise_.levels.size(); ++level)
            for (std::size_t i = 0; i < exercise_.levels[level].cases.size(); ++i) {
                const Case& one = exercise_.levels[level].cases[i];
                const KnownCase& right = known_.at(level, i);
                if (!right.ok()) {
                    fault(fmt::format("case {} has no right answer: {}", one.id, right.failure.reason));
                    result_.right_oracle_passes = false;
                    return false;
                }
                if (exercise_.valid && !exercise_.valid(*right.problem))
                    fault(fmt::format("case {} breaks the contract's own preconditions", one.id));
                if (!agrees_when_stored(*right.truth, *right.truth)) {
                    fault(fmt::format("case {} rejects the right answer, rounded to the output's dtype", one.id));
                    result_.right_oracle_passes = false;
                }
                askings_.push_back({&exercise_.levels[level], &one, right.problem, right.truth});
            }
        return true;
    }

    std::optional<Truths> ask_oracle(const Asking& asking, const Candidate& candidate) {
        const Mistake& mistake = exercise_.mistakes[candidate.mistake];
        try {
            return exercise_.oracle(*asking.problem, mistake.id, candidate.form);
        } catch (const std::exception& error) {
            fault(fmt::format("{} throws on case {}: {}", in_words(mistake, candidate.form), asking.one->id,
                              error.what()));
            return std::nullopt;
        }
    }

    /// Asks all mistakes one level's cases, and diagnoses those it is the first to reject.
    void try_level(const Level& level) {
        cases_.clear();
        wrong_.clear();
        for (const Asking& asking : askings_)
            if (asking.level == &level) cases_.push_back(&asking);
        std::vector<std::vector<char>> rejected(candidates_.size()); // by candidate, then case
        for (const Asking* asking : cases_) {
            wrong_.emplace_back();
            for (std::size_t i = 0; i < candidates_.size(); ++i) {
                std::optional<Truths> wrong = ask_oracle(*asking, candidates_[i]);
                const bool rejects = wrong && !agrees_when_stored(*wrong, *asking->truth);
                rejected[i].push_back(rejects ? 1 : 0);
                if (rejects) result_.mistakes[i].killed_by.push_back(asking->one->id);
                wrong_.back().push_back(std::move(wrong));
            }
        }
        for (std::size_t i = 0; i < candidates_.size(); ++i) {
            MistakeTrial& trial = result_.mistakes[i];
            if (!trial.rejected_at.empty() || std::count(rejected[i].begin(), rejected[i].end(), 1) == 0) continue;
            trial.rejected_at = level.id;
            trial.named = told(i, rejected[i]);
        }
    }

    /// What check would tell candidate `i`: the same cases, the same end after many failing ones.
    std::vector<Diagnosis> told(std::size_t i, const std::vector<char>& rejected) {
        std::vector<Evidence> evidence;
        int failing = 0;
        for (std::size_t at = 0; at < cases_.size() && failing < most_failing_cases; ++at) {
            const Asking& asking = *cases_[at];
            Evidence one{asking.level, asking.one->id, asking.problem, asking.truth, {}};
            one.asked.got = rounded(wrong_[at][i] ? *wrong_[at][i] : *asking.truth);
            one.asked.verdict = Verdict::AC;
            if (rejected[at] != 0) {
                one.asked.verdict = Verdict::WA;
                one.asked.findings = find_wrong(one.asked.got, *asking.truth);
                ++failing;
            }
            evidence.push_back(std::move(one));
        }
        OracleAttempt attempt(exercise_, exercise_.mistakes[candidates_[i].mistake].id, candidates_[i].form);
        return explain(exercise_, attempt, known_.seed(), evidence,
                       [this](const Problem& problem, const Candidate& candidate) -> const std::optional<Truths>& {
                           return wrong_answer(problem, candidate);
                       });
    }

    const std::optional<Truths>& wrong_answer(const Problem& problem, const Candidate& candidate) {
        for (std::size_t at = 0; at < cases_.size(); ++at)
            if (cases_[at]->problem.get() == &problem) {
                const auto i = std::find(candidates_.begin(), candidates_.end(), candidate) - candidates_.begin();
                return wrong_[at][static_cast<std::size_t>(i)];
            }
        other_ = exercise_.oracle(problem, exercise_.mistakes[candidate.mistake].id, candidate.form);
        return other_;
    }

    void judge_trial(const Candidate& candidate, MistakeTrial& trial) {
        const Mistake& mistake = exercise_.mistakes[candidate.mistake];
        const std::string name = in_words(mistake, candidate.form);
        if (trial.rejected_at.empty()) return fault(name + " is never rejected");
        if (trial.rejected_at != trial.belongs)
            fault(fmt::format("{} is rejected at level {}, but belongs to {}", name, trial.rejected_at, trial.belongs));
        trial.named_right = !trial.named.empty();
        bool own = false;
        std::string others;
        for (const Diagnosis& diagnosis : trial.named) {
            const auto known = std::find_if(exercise_.mistakes.begin(), exercise_.mistakes.end(),
                                            [&](const Mistake& one) { return one.id == diagnosis.mistake; });
            if (known != exercise_.mistakes.end() && are_twins(*known, mistake)) {
                own = true;
                continue;
            }
            if (known == exercise_.mistakes.end() && own) continue; // "0 everywhere" beside its own name is true
            trial.named_right = false;
            others += (others.empty() ? "" : " and ") + diagnosis.mistake;
        }
        if (trial.named.empty()) fault(name + " was told nothing");
        if (!others.empty()) fault(fmt::format("{} was told {}", name, others));
    }

    void judge_cases() {
        std::set<std::size_t> killed;
        for (const Asking& asking : askings_) {
            CaseWorth worth{asking.level->id, asking.one->id, {}, asking.one->stays, false};
            for (std::size_t i = 0; i < candidates_.size(); ++i) {
                const std::vector<std::string>& by = result_.mistakes[i].killed_by;
                if (std::find(by.begin(), by.end(), asking.one->id) == by.end() || !killed.insert(i).second) continue;
                const Mistake& mistake = exercise_.mistakes[candidates_[i].mistake];
                worth.first_kills.push_back(
                    mistake.forms() == 1 ? mistake.id : fmt::format("{}/{}", mistake.id, candidates_[i].form));
            }
            worth.earns_place = !worth.first_kills.empty() || !worth.stays.empty();
            if (!worth.earns_place)
                fault(fmt::format(
                    "case {} kills no mistake that an earlier case does not kill and does not say why it stays",
                    worth.id));
            result_.cases.push_back(std::move(worth));
        }
    }
};

} // namespace

SelfTest verify_oracle(const Exercise& exercise, const KnownCases& known) {
    return Verification(exercise, known).run();
}

SelfTest verify_oracle(const Exercise& exercise, std::uint64_t seed) {
    return verify_oracle(exercise, KnownCases(exercise, seed));
}

} // namespace assay
