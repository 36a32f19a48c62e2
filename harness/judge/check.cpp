// The levels of one exercise, in order, on one attempt.
#include "judge/check.hpp"

#include "judge/ask.hpp"
#include "judge/explain.hpp"
#include "judge/known_cases.hpp"
#include "judge/selection.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace assay {

namespace {

bool failed(Verdict verdict) { return verdict != Verdict::AC && verdict != Verdict::SKIP; }

Failure skipped(std::string reason) { return Failure{Verdict::SKIP, std::move(reason)}; }

class Check {
  public:
    Check(const Exercise& exercise, Attempt& attempt, const CheckOptions& options,
          const std::vector<MissingFunction>& missing, Record& record)
        : exercise_(exercise), attempt_(attempt), options_(options), missing_(missing), record_(record),
          numbers_(level_numbers(exercise)) {}

    Outcome<Done> run() {
        record_.levels.clear();
        record_.diagnoses.clear();
        record_.smallest.reset();
        record_.partial = !options_.level.empty() || !options_.case_spec.empty();
        Outcome<Selection> selection = select(exercise_, options_);
        if (!selection) return selection.failure();
        const auto left_out = [&](const Level* level) {
            const std::vector<std::string>& ids = options_.not_asked;
            return std::find(ids.begin(), ids.end(), level->id) != ids.end();
        };
        std::erase_if(selection->levels, left_out);
        if (selection->single ? left_out(selection->single->level) : selection->levels.empty())
            return skipped(fmt::format("level {} is not asked in this attempt's language",
                                       selection->single ? selection->single->level->id : options_.level));
        if (selection->single)
            run_single(*selection->single);
        else
            for (const Level* level : selection->levels) run_level(*level);
        judge();
        if (options_.explain) explain_failure();
        return Done{};
    }

  private:
    const Exercise& exercise_;
    Attempt& attempt_;
    const CheckOptions& options_;
    const std::vector<MissingFunction>& missing_;
    Record& record_;
    std::vector<int> numbers_;
    std::vector<std::vector<Evidence>> evidence_; // one entry a level record; kept only where the level failed

    LevelRecord& enter(const Level& level) {
        LevelRecord record;
        record.id = level.id;
        record.number = numbers_[static_cast<std::size_t>(&level - exercise_.levels.data())];
        record.title = level.title;
        record.must = level.must;
        record.points = level.points;
        record_.levels.push_back(std::move(record));
        evidence_.emplace_back();
        return record_.levels.back();
    }

    /// Asks one case and enters it.
    void ask_case(const Level& level, const Case& one, const std::string& name, const KnownCase& right) {
        CaseRecord entry;
        entry.id = name;
        entry.why = one.why;
        if (!right.ok()) {
            entry.verdict = right.failure.verdict;
            entry.reason = right.failure.reason;
        } else {
            // A run is long, and what it shows is told as it happened: no search for a change from call to call.
            const int further_calls = level.script && exercise_.shown ? 0 : 6;
            Asked asked = ask(exercise_, level, attempt_, *right.problem, *right.truth, further_calls);
            entry.verdict = asked.verdict;
            entry.reason = asked.reason;
            entry.findings = asked.findings;
            entry.printed = attempt_.printed();
            evidence_.back().push_back({&level, name, right.problem, right.truth, std::move(asked)});
        }
        record_.levels.back().cases.push_back(std::move(entry));
    }

    KnownCase right_answer(const Level& level, const Case& one) const {
        if (options_.known == nullptr || options_.known->seed() != options_.seed)
            return known(exercise_, problem_of(one, options_.seed));
        return options_.known->at(static_cast<std::size_t>(&level - exercise_.levels.data()),
                                  static_cast<std::size_t>(&one - level.cases.data()));
    }

    /// Whether the run that was just asked tells its mistake by itself.
    bool shows_mistake() const {
        if (!exercise_.shown || evidence_.back().empty()) return false;
        const Evidence& last = evidence_.back().back();
        return is_diagnosable(last.asked) && !exercise_.shown(*last.problem, last.asked.got).empty();
    }

    static void skip_case(LevelRecord& record, const Case& one, std::string reason) {
        CaseRecord entry;
        entry.id = one.id;
        entry.why = one.why;
        entry.reason = std::move(reason);
        record.cases.push_back(std::move(entry));
    }

    /// Why a level is not asked at all: its verdict and the reason.
    std::optional<Failure> hindrance(const Level& level) const {
        if (options_.stop_at_first_failure)
            for (const LevelRecord& before : record_.levels)
                if (failed(before.verdict))
                    return skipped(fmt::format("not run, since level {} failed", before.number));
        for (const LevelRecord& before : record_.levels)
            if (before.id == level.requires_level && before.verdict != Verdict::AC)
                return skipped(fmt::format("needs level {} ({}), which is not passed", before.number, before.title));
        std::string reasons;
        std::size_t lacking = 0;
        for (const std::string& function : level.functions)
            for (const MissingFunction& gone : missing_)
                if (gone.name == function) {
                    ++lacking;
                    reasons += (reasons.empty() ? "" : "\n") + gone.reason;
                }
        if (lacking > 0 && lacking == level.functions.size() && !level.must) return skipped("not tried: " + reasons);
        if (lacking > 0) return Failure{Verdict::CE, reasons};
        if (level.cases.empty()) return Failure{Verdict::JE, fmt::format("level {} has no cases", level.id)};
        return std::nullopt;
    }

    void run_level(const Level& level) {
        const std::optional<Failure> hindered = hindrance(level);
        LevelRecord& record = enter(level);
        if (hindered) {
            record.verdict = hindered->verdict;
            record.reason = hindered->reason;
            for (const Case& one : level.cases) skip_case(record, one, "the level was not run");
            return;
        }
        int failing = 0;
        std::string rest; // why the cases that are left are not asked
        bool stale = true;
        for (const Case& one : level.cases) {
            if (!rest.empty()) {
                skip_case(record, one, rest);
                continue;
            }
            if (stale) attempt_.fresh();
            ask_case(level, one, one.id, right_answer(level, one));
            const Verdict verdict = record.cases.back().verdict;
            stale = verdict != Verdict::AC;
            if (verdict == Verdict::TLE) rest = "not asked, after the time limit";
            if (verdict == Verdict::MLE) rest = "not asked, after the memory limit";
            if (verdict == Verdict::OLE) rest = "not asked, after the output limit";
            // A run tells by itself what went wrong, and the next may be a thousand times as long.
            if (verdict == Verdict::WA && level.script && shows_mistake())
                rest = "not asked, after a run that shows what is wrong";
            if (stale && ++failing == most_failing_cases)
                rest = fmt::format("not asked, after {} failing cases", most_failing_cases);
        }
        settle(record, level.points);
    }

    void run_single(Selection::Single& single) {
        const Level& level = *single.level;
        LevelRecord& record = enter(level);
        for (const std::string& function : level.functions)
            for (const MissingFunction& gone : missing_)
                if (gone.name == function) {
                    record.verdict = Verdict::CE;
                    record.reason = gone.reason;
                    return;
                }
        attempt_.fresh();
        ask_case(level, *single.one, options_.case_spec, known(exercise_, std::move(single.problem)));
        settle(record, 0);
    }

    /// The level's verdict and points from its cases.
    void settle(LevelRecord& record, int points) {
        record.verdict = Verdict::AC;
        for (const CaseRecord& one : record.cases)
            if (failed(one.verdict)) {
                record.verdict = one.verdict;
                break;
            }
        record.earned = record.verdict == Verdict::AC ? points : 0;
        if (record.verdict == Verdict::AC) evidence_.back().clear();
    }

    void judge() {
        record_.score = record_.max_score = record_.bonus = record_.max_bonus = 0;
        bool any_must = false;
        for (const LevelRecord& level : record_.levels) {
            any_must = any_must || level.must;
            (level.must ? record_.score : record_.bonus) += level.earned;
            if (options_.case_spec.empty()) (level.must ? record_.max_score : record_.max_bonus) += level.points;
        }
        record_.verdict = Verdict::AC;
        record_.reason.clear();
        for (const LevelRecord& level : record_.levels) {
            if (any_must && !level.must) continue; // a bonus decides only where nothing else ran
            const bool worse = record_.verdict == Verdict::AC || record_.verdict == Verdict::SKIP;
            if (worse && level.verdict != Verdict::AC && (failed(level.verdict) || record_.verdict == Verdict::AC)) {
                record_.verdict = level.verdict;
                record_.reason = level.reason;
            }
        }
        for (const LevelRecord& level : record_.levels) blame_the_judge(level);
    }

    void blame_the_judge(const LevelRecord& level) {
        if (record_.verdict == Verdict::JE && !record_.reason.empty()) return;
        for (const CaseRecord& one : level.cases)
            if (one.verdict == Verdict::JE) {
                record_.verdict = Verdict::JE;
                record_.reason = one.reason;
                return;
            }
        if (level.verdict != Verdict::JE) return;
        record_.verdict = Verdict::JE;
        record_.reason = level.reason;
    }

    void explain_failure() {
        const std::optional<FirstFailure> first = first_failure(record_);
        if (!first || first->failing == nullptr) return;
        const auto at = static_cast<std::size_t>(first->level - record_.levels.data());
        const std::vector<Evidence>& cases = evidence_[at];
        record_.diagnoses = explain(exercise_, attempt_, options_.seed, cases);
        if (!options_.smallest || !options_.case_spec.empty() || first->failing->verdict == Verdict::JE) return;
        for (const Evidence& one : cases)
            if (one.spec == first->failing->id)
                record_.smallest = smallest_of(exercise_, attempt_, options_.seed, one, options_.shrinking);
    }
};

} // namespace

Outcome<Done> check(const Exercise& exercise, Attempt& attempt, const CheckOptions& options,
                    const std::vector<MissingFunction>& missing, Record& record) {
    return Check(exercise, attempt, options, missing, record).run();
}

} // namespace assay
