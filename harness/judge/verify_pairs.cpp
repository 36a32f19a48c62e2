#include "judge/verify_pairs.hpp"

#include "judge/check.hpp"
#include "judge/compare.hpp"
#include "judge/explain.hpp"
#include "judge/oracle_attempt.hpp"

#include <algorithm>
#include <exception>
#include <fmt/format.h>
#include <memory>
#include <utility>

namespace assay {

namespace {

struct Asking {
    const Level* level = nullptr;
    const Case* one = nullptr;
    std::shared_ptr<const Problem> problem;
    std::shared_ptr<const Truths> truth;
};

/// What candidates answer to one case, each made once. Thousands of pairs are held against all of them: by position,
/// not in a tree.
struct Answers {
    const Problem* problem = nullptr;
    std::vector<std::unique_ptr<const std::optional<Truths>>> made; // null: not yet
};

class Pairs {
  public:
    Pairs(const Exercise& exercise, const KnownCases& known) : exercise_(exercise), cases_(known) {
        for (const Mistake& mistake : exercise.mistakes) {
            first_form_.push_back(forms_);
            forms_ += static_cast<std::size_t>(mistake.forms());
        }
    }

    PairTest run() {
        if (!exercise_.combined) return std::move(result_);
        try {
            ask_right_oracle();
            part_singles();
            for (const Candidate& pair : pair_candidates(exercise_)) play(pair);
        } catch (const std::exception& error) {
            result_.faults.push_back(fmt::format("two mistakes together: {}", error.what()));
        }
        return std::move(result_);
    }

  private:
    const Exercise& exercise_;
    const KnownCases& cases_;
    PairTest result_;
    std::vector<Asking> askings_;
    std::vector<std::size_t> first_form_; // position of each mistake's
    std::size_t forms_ = 0;               // of all mistakes
    std::vector<Answers> answers_;        // by case
    std::size_t latest_ = 0;              // the case asked for last: most often the next one too
    std::optional<Truths> other_;         // a wrong answer to a problem that is no case

    /// Its ids, as a diagnosis writes them.
    std::string id_of(const Candidate& candidate) const {
        std::string id = exercise_.mistakes[candidate.mistake].id;
        if (candidate.is_pair()) id += "+" + exercise_.mistakes[candidate.second].id;
        return id;
    }

    std::string in_words(const Candidate& candidate) const {
        std::string words = exercise_.mistakes[candidate.mistake].id;
        if (exercise_.mistakes[candidate.mistake].forms() > 1) words += fmt::format("/{}", candidate.form);
        if (!candidate.is_pair()) return words;
        return words + " and " + in_words({candidate.second, candidate.second_form});
    }

    void ask_right_oracle() {
        for (std::size_t level = 0; level < exercise_.levels.size(); ++level)
            for (std::size_t i = 0; i < exercise_.levels[level].cases.size(); ++i) {
                const KnownCase& right = cases_.at(level, i);
                if (!right.ok()) continue; // verify_oracle tells it
                askings_.push_back(
                    {&exercise_.levels[level], &exercise_.levels[level].cases[i], right.problem, right.truth});
                answers_.emplace_back().problem = right.problem.get();
                answers_.back().made.resize(forms_ * (forms_ + 1));
            }
    }

    /// 0 <= position < forms * (forms + 1): the mistakes alone, then the pairs.
    std::size_t position(const Candidate& candidate) const {
        const std::size_t first = first_form_[candidate.mistake] + static_cast<std::size_t>(candidate.form);
        if (!candidate.is_pair()) return first;
        return (first + 1) * forms_ + first_form_[candidate.second] + static_cast<std::size_t>(candidate.second_form);
    }

    const std::optional<Truths>& wrong_answer(const Problem& problem, const Candidate& candidate) {
        if (latest_ >= answers_.size() || answers_[latest_].problem != &problem)
            latest_ =
                static_cast<std::size_t>(std::find_if(answers_.begin(), answers_.end(),
                                                      [&](const Answers& one) { return one.problem == &problem; }) -
                                         answers_.begin());
        if (latest_ == answers_.size()) {
            other_ = wrong_answer_of(exercise_, problem, candidate);
            return other_;
        }
        auto& made = answers_[latest_].made[position(candidate)];
        if (!made) made = std::make_unique<const std::optional<Truths>>(wrong_answer_of(exercise_, problem, candidate));
        return *made;
    }

    const Truths& answer(const Asking& asking, const Candidate& candidate) {
        const std::optional<Truths>& wrong = wrong_answer(*asking.problem, candidate);
        return wrong ? *wrong : *asking.truth;
    }

    /// Two mistakes that answer every case alike are told as alternatives for ever.
    void part_singles() {
        const std::vector<Candidate> singles = single_candidates(exercise_);
        std::vector<const Asking*> all;
        for (const Asking& asking : askings_) all.push_back(&asking);
        for (const Candidate& a : singles)
            for (const Candidate& b : singles) {
                if (a.mistake >= b.mistake || !alike_on(a, b, all)) continue;
                if (are_alike(exercise_, a, b))
                    result_.twins.push_back(fmt::format("{} and {}", in_words(a), in_words(b)));
                else
                    result_.faults.push_back(fmt::format(
                        "{} and {} answer every case alike: add a case that parts them, or declare them twins",
                        in_words(a), in_words(b)));
            }
    }

    bool alike_on(const Candidate& a, const Candidate& b, const std::vector<const Asking*>& askings) {
        return std::all_of(askings.begin(), askings.end(),
                           [&](const Asking* asking) { return are_same(answer(*asking, a), answer(*asking, b)); });
    }

    void play(const Candidate& pair) {
        for (const Level& level : exercise_.levels) {
            std::vector<const Asking*> asked; // as check would, which stops after many failing cases
            std::vector<char> failed;
            int failing = 0;
            for (const Asking& asking : askings_) {
                if (asking.level != &level || failing == most_failing_cases) continue;
                asked.push_back(&asking);
                failed.push_back(agrees_when_stored(answer(asking, pair), *asking.truth) ? 0 : 1);
                failing += failed.back();
            }
            if (failing == 0) continue;
            ++result_.played;
            judge(pair, asked, told(pair, evidence_of(pair, asked, failed)));
            return;
        }
    }

    std::vector<Evidence> evidence_of(const Candidate& pair, const std::vector<const Asking*>& asked,
                                      const std::vector<char>& failed) {
        std::vector<Evidence> evidence;
        for (std::size_t i = 0; i < asked.size(); ++i) {
            const Asking& asking = *asked[i];
            Evidence one{asking.level, asking.one->id, asking.problem, asking.truth, {}};
            one.asked.got = rounded(answer(asking, pair));
            one.asked.verdict = failed[i] != 0 ? Verdict::WA : Verdict::AC;
            if (failed[i] != 0) one.asked.findings = find_wrong(one.asked.got, *asking.truth);
            evidence.push_back(std::move(one));
        }
        return evidence;
    }

    std::vector<Diagnosis> told(const Candidate& pair, const std::vector<Evidence>& evidence) {
        OracleAttempt attempt(exercise_,
                              [&](const Problem& problem) { return wrong_answer_of(exercise_, problem, pair); });
        return explain(exercise_, attempt, cases_.seed(), evidence,
                       [this](const Problem& problem, const Candidate& candidate) -> const std::optional<Truths>& {
                           return wrong_answer(problem, candidate);
                       });
    }

    /// The candidates that a diagnosis's id stands for, in every form: "a", or "a+b".
    std::vector<Candidate> candidates_of(const std::string& id) const {
        const std::size_t plus = id.find('+');
        const std::string first = id.substr(0, plus), second = plus == std::string::npos ? "" : id.substr(plus + 1);
        std::vector<Candidate> meant;
        for (const Candidate& a : single_candidates(exercise_)) {
            if (exercise_.mistakes[a.mistake].id != first) continue;
            if (second.empty()) meant.push_back(a);
            for (const Candidate& b : single_candidates(exercise_))
                if (!second.empty() && exercise_.mistakes[b.mistake].id == second)
                    meant.push_back({a.mistake, a.form, b.mistake, b.form});
        }
        return meant;
    }

    void judge(const Candidate& pair, const std::vector<const Asking*>& asked, const std::vector<Diagnosis>& named) {
        const std::string who = fmt::format("{} together", in_words(pair));
        if (named.empty()) return fault(who + " were told nothing");
        const Candidate halves[] = {{pair.mistake, pair.form}, {pair.second, pair.second_form}};
        bool both = false, one = false;
        std::string others;
        for (const Diagnosis& diagnosis : named) {
            if (diagnosis.mistake.rfind("pattern:", 0) == 0) continue; // true beside a name; alone it names nothing
            const std::vector<Candidate> meant = candidates_of(diagnosis.mistake);
            const auto is = [&](const Candidate& wanted) {
                return std::any_of(meant.begin(), meant.end(),
                                   [&](const Candidate& m) { return are_alike(exercise_, m, wanted); });
            };
            if (is(pair)) {
                both = true;
                continue;
            }
            const bool half = is(halves[0]) || is(halves[1]);
            one = one || half;
            const bool true_of_it =
                (half && exercise_.shown) ||
                std::any_of(meant.begin(), meant.end(), [&](const Candidate& m) { return alike_on(m, pair, asked); });
            if (!true_of_it) return fault(fmt::format("{} were told {}", who, diagnosis.mistake));
            if (!half) others += (others.empty() ? "" : " and ") + diagnosis.mistake;
        }
        if (!both && !one && others.empty()) return fault(fmt::format("{} were told {}", who, named[0].mistake));
        if (both) ++result_.both;
        if (!both && one) ++result_.hidden;
        if (!others.empty()) result_.alike.push_back(fmt::format("{} are told {}", who, others));
    }

    void fault(std::string sentence) { result_.faults.push_back(std::move(sentence)); }
};

} // namespace

PairTest verify_pairs(const Exercise& exercise, std::uint64_t seed) {
    return verify_pairs(exercise, KnownCases(exercise, seed));
}

PairTest verify_pairs(const Exercise& exercise, const KnownCases& known) { return Pairs(exercise, known).run(); }

} // namespace assay
