#include "grade/local.hpp"

#include "catalogue/files.hpp"
#include "grade/ledger.hpp"
#include "grade/pool.hpp"
#include "report/json.hpp"
#include "report/text.hpp"

#include <cstring>
#include <deque>
#include <fmt/format.h>
#include <unistd.h>

extern char** environ;

namespace fs = std::filesystem;

namespace assay {

namespace {

std::vector<std::string> whole_environment() {
    std::vector<std::string> entries;
    for (char** entry = environ; *entry != nullptr; ++entry) entries.emplace_back(*entry);
    return entries;
}

/// The last sentence that a child printed.
std::string last_line(const std::string& output) {
    const std::vector<std::string> lines = lines_of(output);
    for (auto line = lines.rbegin(); line != lines.rend(); ++line)
        if (!line->empty()) return printable(*line).substr(0, 500);
    return "";
}

std::string why_it_ended(const Ended& ended, std::chrono::seconds limit) {
    std::string why =
        ended.timed_out ? fmt::format("the judge did not end within {} s", limit.count())
        : ended.exited  ? fmt::format("the judge ended with exit code {}", ended.exit_code)
                       : fmt::format("the judge was killed by signal {} ({})", ended.signal, ::strsignal(ended.signal));
    const std::string said = last_line(ended.output);
    return said.empty() ? why : why + ": " + said;
}

class LocalEngine {
  public:
    LocalEngine(const Plan& plan, const LocalOptions& options, Ledger ledger)
        : plan_(plan), options_(options), ledger_(std::move(ledger)), tries_(plan.units.size(), 0),
          environment_(whole_environment()) {}

    LocalResult run() {
        ledger_.enter(plan_);
        progress_.all = plan_.units.size();
        for (std::size_t i = 0; i < plan_.units.size(); ++i) {
            const Outcome<Record> there = result_of(options_.out, plan_.units[i]);
            if (!there || there->verdict == Verdict::JE) { // our own fault may have gone
                waiting_.push_back(i);
                continue;
            }
            ledger_.set(plan_.units[i], UnitState::done, std::string(code(there->verdict)));
            ++progress_.done;
            ++progress_.before;
        }
        result_.kept = progress_.before;
        tell(0);
        PoolTasks tasks;
        tasks.next = [this](std::size_t& number, Command& command) { return next(number, command); };
        tasks.ended = [this](std::size_t number, const Ended& ended) { this->ended(number, ended); };
        tasks.tick = [this](int running) { tell(running); };
        PoolOptions pool;
        pool.jobs = options_.jobs;
        pool.wall_limit = options_.wall_limit;
        pool.stop = options_.stop;
        result_.stopped = !run_pool(tasks, pool);
        tell(0);
        return std::move(result_);
    }

  private:
    const Plan& plan_;
    const LocalOptions& options_;
    Ledger ledger_;
    std::deque<std::size_t> waiting_;
    std::vector<int> tries_;
    std::vector<std::string> environment_;
    GradeProgress progress_;
    LocalResult result_;

    void tell(int running) {
        progress_.running = running;
        if (options_.progress) options_.progress(progress_);
    }

    bool next(std::size_t& number, Command& command) {
        while (!waiting_.empty()) {
            number = waiting_.front();
            waiting_.pop_front();
            const Unit& unit = plan_.units[number];
            if (!unit.problem.empty()) { // nothing to run
                record_blank(unit, Verdict::SKIP, unit.problem);
                continue;
            }
            std::error_code none; // a record of other sources, or of a fault of ours, must not pass for this one's
            fs::remove(options_.out / unit.record_path(), none);
            ledger_.set(unit, UnitState::running);
            ++tries_[number];
            command.arguments = options_.program;
            for (const std::string& argument : {(options_.out / unit.record_path()).native(), unit.exercise,
                                                unit.source.native(), std::to_string(unit.identity.seed)})
                command.arguments.push_back(argument);
            command.environment = environment_;
            return true;
        }
        return false;
    }

    void ended(std::size_t number, const Ended& ended) {
        const Unit& unit = plan_.units[number];
        if (const Outcome<Record> record = result_of(options_.out, unit)) {
            finish(unit, UnitState::done, std::string(code(record->verdict)), ended.milliseconds / 1000);
            return;
        }
        if (changed_meanwhile(unit)) {
            result_.failures.push_back(fmt::format("{}/{} was changed while it was graded: grade again with --resume",
                                                   printable(unit.candidate), unit.exercise));
            return finish(unit, UnitState::failed, "", ended.milliseconds / 1000);
        }
        if (tries_[number] < 2) {
            waiting_.push_back(number);
            return;
        }
        record_blank(unit, Verdict::JE, why_it_ended(ended, options_.wall_limit));
    }

    /// Its record is whole, but of other sources than the plan's.
    bool changed_meanwhile(const Unit& unit) const {
        bool ok = false;
        const std::string text = read_text(options_.out / unit.record_path(), ok);
        const Outcome<Record> record = ok ? record_from_json(text) : Failure{};
        return record && record->exercise == unit.exercise && record->source_hash != unit.identity.source_hash;
    }

    void record_blank(const Unit& unit, Verdict verdict, const std::string& reason) {
        const Record record = options_.blank(unit, verdict, reason);
        const std::string failed = write_text(options_.out / unit.record_path(), to_json(record));
        if (!failed.empty())
            result_.failures.push_back(fmt::format("{}/{}: {}", printable(unit.candidate), unit.exercise, failed));
        finish(unit, failed.empty() ? UnitState::done : UnitState::failed, std::string(code(verdict)), 0);
    }

    void finish(const Unit& unit, UnitState state, const std::string& verdict, double seconds) {
        ledger_.set(unit, state, verdict, seconds);
        ++progress_.done;
        ++result_.graded;
    }
};

} // namespace

Outcome<LocalResult> grade_locally(const Plan& plan, const LocalOptions& options) {
    Outcome<Ledger> ledger = Ledger::open(options.out / "ledger.sqlite");
    if (!ledger) return ledger.failure();
    return LocalEngine(plan, options, std::move(*ledger)).run();
}

} // namespace assay
