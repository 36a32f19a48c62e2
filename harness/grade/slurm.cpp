#include "grade/slurm.hpp"

#include "attempt/build_cache.hpp"
#include "grade/lock.hpp"
#include "grade/slurm_client.hpp"
#include "grade/slurm_round.hpp"
#include "grade/slurm_silence.hpp"
#include "report/text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <poll.h>

namespace assay {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t sweep_most = 1000; // results looked for at a time: a second on a slow file system

class SlurmEngine {
  public:
    SlurmEngine(const Plan& plan, const SlurmOptions& options, SlurmClient client)
        : plan_(plan), options_(options), client_(std::move(client)), name_(slurm_job_name(options.out)),
          reasons_(plan.units.size()) {}

    Outcome<GradeResult> run() {
        progress_.all = plan_.units.size();
        look();
        tell(0);
        if (!missing_.empty())
            if (const Outcome<Done> cleared = clear_queue(); !cleared) return cleared.failure();
        std::error_code none; // a record of a fault of ours, or of other sources, must not pass for a task's result
        for (const std::size_t number : missing_)
            std::filesystem::remove(options_.out / plan_.units[number].record_path(), none);
        for (int round = 1; round <= options_.rounds && !missing_.empty() && !result_.stopped; ++round) {
            if (const Outcome<Done> played = play(round); !played) return played.failure();
            if (!missing_.empty() && round < options_.rounds && !result_.stopped)
                note(fmt::format("{} without a result ({}): submitted again, round {} of {}",
                                 counted(static_cast<long long>(missing_.size()), "submission"),
                                 reasons_[missing_.front()], round + 1, options_.rounds));
        }
        if (result_.stopped && any_submitted_) cancel_all();
        if (!result_.stopped)
            for (const std::size_t number : missing_)
                record_blank(number, Verdict::JE,
                             fmt::format("{} (submitted {})", reasons_[number], counted(options_.rounds, "time")));
        tell(0);
        return std::move(result_);
    }

  private:
    const Plan& plan_;
    const SlurmOptions& options_;
    SlurmClient client_;
    std::string name_;
    std::vector<std::size_t> missing_;
    std::vector<std::string> reasons_; // one a unit: why it has no result, when last submitted
    GradeProgress progress_;
    GradeResult result_;
    bool any_submitted_ = false, strays_ = false;
    std::string waits_; // what was last said of waiting

    void look() {
        std::vector<std::size_t> broken;
        for (std::size_t i = 0; i < plan_.units.size(); ++i) {
            const Unit& unit = plan_.units[i];
            const Outcome<Record> there = result_of(options_.out, unit);
            if (there && there->verdict != Verdict::JE) {
                ++progress_.done;
                ++progress_.before;
                continue;
            }
            (unit.problem.empty() ? missing_ : broken).push_back(i);
        }
        result_.kept = progress_.before;
        for (const std::size_t i : broken) record_blank(i, Verdict::SKIP, plan_.units[i].problem);
    }

    /// What an earlier grader left behind, and would be done twice.
    Outcome<Done> clear_queue() {
        const Outcome<SlurmTasks> tasks = client_.tasks(name_);
        if (!tasks)
            return Failure{Verdict::SKIP,
                           fmt::format("squeue does not answer ({}): see that Slurm is up (scontrol ping), or grade "
                                       "without --engine slurm",
                                       tasks.failure().reason)};
        if (std::all_of(tasks->begin(), tasks->end(), [](const auto& task) { return task.second.ended(); }))
            return Done{};
        note(fmt::format("tasks of an earlier grading of this folder are in the queue and are cancelled ({})", name_));
        const Outcome<Done> cancelled = client_.cancel_all(name_);
        if (!cancelled)
            return Failure{Verdict::SKIP, fmt::format("scancel failed ({}): cancel them with: scancel --name={}",
                                                      cancelled.failure().reason, name_)};
        return Done{};
    }

    Outcome<Done> play(int number) {
        Outcome<SlurmRound> round = SlurmRound::lay(plan_, missing_, options_);
        if (!round) return round.failure();
        if (const Outcome<Done> sent = submit(*round); !sent || result_.stopped) return sent;
        if (const Outcome<Done> watched = watch(*round); !watched || result_.stopped) return watched;
        settle(*round);
        if (result_.stopped) return Done{};
        if (number == 1 && !round->heard_of() && came_to_an_end(*round))
            return Failure{Verdict::SKIP, fmt::format("no result arrived although the tasks ended: is {} on a file "
                                                      "system that the nodes share?",
                                                      printable(options_.out.native()))};
        missing_.clear();
        for (const Sent& sent : round->sent())
            for (std::size_t i = 0; i < sent.open.size(); ++i)
                if (sent.open[i]) take_fault(sent.shard.units[i], round->fault_of(sent, i));
        std::sort(missing_.begin(), missing_.end());
        return Done{};
    }

    void take_fault(std::size_t number, const UnitFault& fault) {
        if (fault.changed) { // no round can mend that
            result_.failures.push_back(changed_meanwhile(plan_.units[number]));
            ++progress_.done;
            ++result_.graded;
            return;
        }
        reasons_[number] = fault.reason;
        missing_.push_back(number);
    }

    /// Some task was run to an end of its own: what it wrote ought to be here.
    static bool came_to_an_end(const SlurmRound& round) {
        return std::any_of(round.sent().begin(), round.sent().end(), [](const Sent& sent) {
            return sent.task.state == "COMPLETED" || sent.task.state == "FAILED" || sent.task.state == "RUNNING";
        });
    }

    SlurmSilence silence() {
        return {options_.poll, options_.patience, [this](milliseconds time) { return pause(time); },
                [this](const std::string& sentence) { note(sentence); }};
    }

    Outcome<Done> submit(SlurmRound& round) {
        SlurmSilence silent = silence();
        while (true) {
            const Outcome<Done> sent = round.submit(client_, name_);
            if (sent) break;
            const std::string said = sent.failure().reason;
            if (!any_submitted_ || !is_unreachable(said)) {
                if (round.at_work()) cancel_all();
                return Failure{Verdict::SKIP, fmt::format("sbatch refused the tasks ({}): see --partition, --account, "
                                                          "--time and --sbatch-option",
                                                          said)};
            }
            strays_ = true; // it may have taken them all the same
            if (!silent.wait(said)) return stopped_or(silent.failure());
        }
        any_submitted_ = true;
        return Done{};
    }

    Outcome<Done> watch(SlurmRound& round) {
        SlurmSilence silent = silence();
        Clock::time_point complete{};
        while (true) {
            const Outcome<SlurmTasks> tasks = client_.tasks(name_);
            if (tasks) {
                silent.broken();
                round.enter(*tasks, client_);
                tell_waiting(round.waits_because());
            }
            count(round.sweep(sweep_most, !tasks.ok()));
            tell(round.running());
            if (round.at_work() == 0) return Done{};
            if (round.complete()) { // tasks end a moment after their last result; a second copy of one may not
                if (complete == Clock::time_point{}) complete = Clock::now();
                if (Clock::now() - complete >= options_.settle) return Done{};
            }
            const bool on = tasks ? pause(options_.poll) : silent.wait(tasks.failure().reason);
            if (!on) return stopped_or(silent.failure());
        }
    }

    Outcome<Done> stopped_or(Failure failure) const {
        if (result_.stopped) return Done{};
        return failure;
    }

    /// All tasks are over: what they wrote may still be on its way.
    void settle(SlurmRound& round) {
        const Clock::time_point end = Clock::now() + options_.settle;
        while (true) {
            count(round.sweep(plan_.units.size(), true));
            tell(0);
            if (!round.unexplained() || Clock::now() >= end) break;
            if (!pause(std::min<milliseconds>(options_.poll, milliseconds(1000)))) return;
        }
        if (round.at_work() > 0 || strays_) cancel_all(); // they are at work on what is done
    }

    /// False where a stop came.
    bool pause(milliseconds time) {
        pollfd stop{options_.stop, POLLIN, 0};
        result_.stopped = ::poll(&stop, 1, static_cast<int>(time.count())) > 0 || result_.stopped;
        return !result_.stopped;
    }

    void cancel_all() {
        const Outcome<Done> cancelled = client_.cancel_all(name_);
        if (!cancelled)
            note(fmt::format("the tasks could not be cancelled ({}): cancel them with: scancel --name={}",
                             cancelled.failure().reason, name_));
    }

    void count(const std::vector<std::size_t>& found) {
        progress_.done += found.size();
        result_.graded += found.size();
    }

    void tell(int running) {
        progress_.running = running;
        if (options_.progress) options_.progress(progress_);
    }

    void note(const std::string& sentence) const {
        if (options_.note) options_.note(sentence);
    }

    /// What is usual is not worth a word.
    void tell_waiting(const std::string& reason) {
        if (reason.empty() || reason == "None" || reason == "Priority" || reason == "Resources" || reason == waits_)
            return;
        waits_ = reason;
        note(fmt::format("no task runs, they wait: {} (squeue --name={} shows them)", printable(reason), name_));
    }

    void record_blank(std::size_t number, Verdict verdict, const std::string& reason) {
        const std::string failed = write_blank(options_, plan_.units[number], verdict, reason);
        if (!failed.empty()) result_.failures.push_back(failed);
        ++progress_.done;
        ++result_.graded;
    }
};

} // namespace

std::string slurm_job_name(const std::filesystem::path& out) {
    std::error_code failed;
    const std::filesystem::path whole = std::filesystem::weakly_canonical(out, failed);
    ContentHash hash;
    hash.add("slurm 1").add(failed ? out.native() : whole.native());
    return "assay-" + hash.hex().substr(0, 12);
}

Outcome<GradeResult> grade_by_slurm(const Plan& plan, const SlurmOptions& options) {
    Outcome<SlurmClient> client = SlurmClient::find();
    if (!client) return client.failure();
    const Outcome<GradingLock> lock = GradingLock::take(options.out);
    if (!lock) return lock.failure();
    return SlurmEngine(plan, options, std::move(*client)).run();
}

} // namespace assay
