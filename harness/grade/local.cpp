#include "grade/local.hpp"

#include "grade/ledger.hpp"
#include "grade/unit_runs.hpp"
#include "report/text.hpp"

#include <fmt/format.h>

namespace assay {

namespace {

class LocalEngine {
  public:
    LocalEngine(const Plan& plan, const LocalOptions& options, Ledger ledger)
        : plan_(plan), options_(options), ledger_(std::move(ledger)) {}

    GradeResult run() {
        ledger_.enter(plan_);
        progress_.all = plan_.units.size();
        const std::vector<std::size_t> waiting = look();
        tell(0);
        UnitRunEvents events;
        events.begun = [this](std::size_t number) { ledger_.set(plan_.units[number], UnitState::running); };
        events.graded = [this](std::size_t number, const Record& record, double seconds) {
            finish(plan_.units[number], UnitState::done, std::string(code(record.verdict)), seconds);
        };
        events.failed = [this](std::size_t number, const UnitFault& fault, double seconds) {
            const Unit& unit = plan_.units[number];
            if (!fault.changed) return record_blank(unit, Verdict::JE, fault.reason);
            result_.failures.push_back(changed_meanwhile(unit));
            finish(unit, UnitState::failed, "", seconds);
        };
        events.tick = [this](int running) { tell(running); };
        UnitRunOptions runs;
        runs.jobs = options_.jobs;
        runs.out = options_.out;
        runs.program = options_.program;
        runs.wall_limit = options_.wall_limit;
        runs.stop = options_.stop;
        result_.stopped = !run_units(plan_, waiting, runs, events);
        tell(0);
        if (!ledger_.trouble().empty())
            result_.failures.push_back(fmt::format("the ledger in {} could not be kept ({}): is the disk full?",
                                                   printable(options_.out.native()), ledger_.trouble()));
        return std::move(result_);
    }

  private:
    const Plan& plan_;
    const LocalOptions& options_;
    Ledger ledger_;
    GradeProgress progress_;
    GradeResult result_;

    /// What is to be run; what has its result is counted, what cannot be run is recorded.
    std::vector<std::size_t> look() {
        std::vector<std::size_t> waiting, broken;
        for (std::size_t i = 0; i < plan_.units.size(); ++i) {
            const Unit& unit = plan_.units[i];
            const Outcome<Record> there = result_of(options_.out, unit);
            if (there && there->verdict != Verdict::JE) { // our own fault may have gone
                ledger_.set(unit, UnitState::done, std::string(code(there->verdict)));
                ++progress_.done;
                ++progress_.before;
            } else
                (unit.problem.empty() ? waiting : broken).push_back(i);
        }
        result_.kept = progress_.before;
        for (const std::size_t i : broken) record_blank(plan_.units[i], Verdict::SKIP, plan_.units[i].problem);
        return waiting;
    }

    void tell(int running) {
        progress_.running = running;
        if (options_.progress) options_.progress(progress_);
    }

    void record_blank(const Unit& unit, Verdict verdict, const std::string& reason) {
        const std::string failed = write_blank(options_, unit, verdict, reason);
        if (!failed.empty()) result_.failures.push_back(failed);
        finish(unit, failed.empty() ? UnitState::done : UnitState::failed, std::string(code(verdict)), 0);
    }

    void finish(const Unit& unit, UnitState state, const std::string& verdict, double seconds) {
        ledger_.set(unit, state, verdict, seconds);
        ++progress_.done;
        ++result_.graded;
    }
};

} // namespace

Outcome<GradeResult> grade_locally(const Plan& plan, const LocalOptions& options) {
    Outcome<Ledger> ledger = Ledger::open(options.out / "ledger.sqlite");
    if (!ledger) return ledger.failure();
    return LocalEngine(plan, options, std::move(*ledger)).run();
}

} // namespace assay
