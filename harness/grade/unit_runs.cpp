#include "grade/unit_runs.hpp"

#include "catalogue/files.hpp"
#include "grade/pool.hpp"
#include "report/json.hpp"
#include "report/text.hpp"

#include <cstring>
#include <deque>
#include <fmt/format.h>
#include <map>
#include <unistd.h>

extern char** environ;

namespace fs = std::filesystem;

namespace assay {

namespace {

std::string why_it_ended(const Ended& ended, std::chrono::seconds limit) {
    std::string why =
        ended.timed_out ? fmt::format("the judge did not end within {} s", limit.count())
        : ended.exited  ? fmt::format("the judge ended with exit code {}", ended.exit_code)
                       : fmt::format("the judge was killed by signal {} ({})", ended.signal, ::strsignal(ended.signal));
    const std::string said = last_line(ended.output);
    return said.empty() ? why : why + ": " + said;
}

class UnitRuns {
  public:
    UnitRuns(const Plan& plan, const std::vector<std::size_t>& numbers, const UnitRunOptions& options,
             const UnitRunEvents& events)
        : plan_(plan), options_(options), events_(events), waiting_(numbers.begin(), numbers.end()),
          environment_(whole_environment()) {}

    bool run() {
        PoolTasks tasks;
        tasks.next = [this](std::size_t& number, Command& command) { return next(number, command); };
        tasks.ended = [this](std::size_t number, const Ended& ended) { this->ended(number, ended); };
        tasks.tick = events_.tick;
        PoolOptions pool;
        pool.jobs = options_.jobs;
        pool.wall_limit = options_.wall_limit;
        pool.stop = options_.stop;
        return run_pool(tasks, pool);
    }

  private:
    const Plan& plan_;
    const UnitRunOptions& options_;
    const UnitRunEvents& events_;
    std::deque<std::size_t> waiting_;
    std::map<std::size_t, int> tries_;
    std::vector<std::string> environment_;

    fs::path record_of(const Unit& unit) const { return options_.out / unit.record_path(); }

    bool next(std::size_t& number, Command& command) {
        while (!waiting_.empty()) {
            number = waiting_.front();
            waiting_.pop_front();
            const Unit& unit = plan_.units[number];
            if (options_.keep_results) {
                if (const Outcome<Record> there = result_of(options_.out, unit)) {
                    events_.graded(number, *there, 0);
                    continue;
                }
            }
            // A record of other sources, or of a fault of ours, must not pass for this one's; where others are at work,
            // it may just have become right, and whoever started them has taken the old ones away.
            std::error_code none;
            if (!options_.keep_results) fs::remove(record_of(unit), none);
            if (events_.begun) events_.begun(number);
            ++tries_[number];
            command.arguments = options_.program;
            for (const std::string& argument :
                 {record_of(unit).native(), unit.exercise, unit.source.native(), std::to_string(unit.identity.seed)})
                command.arguments.push_back(argument);
            command.environment = environment_;
            return true;
        }
        return false;
    }

    void ended(std::size_t number, const Ended& ended) {
        const Unit& unit = plan_.units[number];
        const double seconds = ended.milliseconds / 1000;
        if (const Outcome<Record> record = result_of(options_.out, unit))
            return events_.graded(number, *record, seconds);
        bool ok = false;
        const std::string text = read_text(record_of(unit), ok);
        const Outcome<Record> other = ok ? record_from_json(text) : Failure{};
        const bool own = other && other->exercise == unit.exercise;
        if (own && other->source_hash != unit.identity.source_hash) return events_.failed(number, {true, ""}, seconds);
        if (tries_[number] < 2) {
            waiting_.push_back(number);
            return;
        }
        const std::string difference = own ? difference_between(unit.identity, Identity::of(*other)) : "";
        events_.failed(number, {false, difference.empty() ? why_it_ended(ended, options_.wall_limit) : difference},
                       seconds);
    }
};

} // namespace

bool run_units(const Plan& plan, const std::vector<std::size_t>& numbers, const UnitRunOptions& options,
               const UnitRunEvents& events) {
    return UnitRuns(plan, numbers, options, events).run();
}

std::vector<std::string> whole_environment() {
    std::vector<std::string> entries;
    for (char** entry = environ; *entry != nullptr; ++entry) entries.emplace_back(*entry);
    return entries;
}

std::string last_line(const std::string& output) {
    const std::vector<std::string> lines = lines_of(output);
    for (auto line = lines.rbegin(); line != lines.rend(); ++line)
        if (!line->empty()) return printable(*line).substr(0, 500);
    return "";
}

} // namespace assay
