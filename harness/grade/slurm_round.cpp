#include "grade/slurm_round.hpp"

#include "catalogue/files.hpp"
#include "report/text.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace fs = std::filesystem;

namespace assay {

namespace {

/// In names of output files % begins a pattern.
std::string plain_pattern(const std::string& path) {
    std::string text;
    for (const char c : path) text += c == '%' ? "%%" : std::string(1, c);
    return text;
}

std::string script_text(const SlurmOptions& options, const fs::path& folder) {
    std::string text = "#!/bin/sh\n"
                       "# A task of a grading: one shard of its plan. Submitted by assay grade --engine slurm.\n"
                       "exec";
    for (const std::string& word : options.program) text += " " + shell_word(word);
    text += " " + shell_word(options.out.native()) + " " + shell_word(folder.native()) +
            "/shard-$(($1 + SLURM_ARRAY_TASK_ID)).json\n";
    return text;
}

/// A network file system shows what another machine wrote once its folder is read anew.
void read_anew(const fs::path& folder) {
    std::error_code ignored;
    for (fs::directory_iterator at(folder, ignored), end; !ignored && at != end; at.increment(ignored)) {
    }
}

} // namespace

bool Sent::any_open() const { return std::find(open.begin(), open.end(), true) != open.end(); }

Outcome<SlurmRound> SlurmRound::lay(const Plan& plan, const std::vector<std::size_t>& numbers,
                                    const SlurmOptions& options) {
    SlurmRound round(plan, options);
    std::error_code failed;
    for (int n = 1;; ++n) {
        round.folder_ = options.out / "slurm" / fmt::format("round-{}", n);
        if (!fs::exists(round.folder_, failed)) break;
    }
    std::vector<Shard> shards = cut_into_shards(plan, numbers, options.shard_size);
    for (std::size_t k = 0; k < shards.size(); ++k) {
        const std::string reason = write_text(shard_file(round.folder_, k), to_json(plan_of(plan, shards[k])));
        if (!reason.empty()) return Failure{Verdict::SKIP, reason};
        Sent sent;
        sent.faults.resize(shards[k].units.size());
        sent.open.assign(shards[k].units.size(), true);
        sent.shard = std::move(shards[k]);
        round.sent_.push_back(std::move(sent));
    }
    if (const std::string reason = write_text(round.folder_ / "task.sh", script_text(options, round.folder_));
        !reason.empty())
        return Failure{Verdict::SKIP, reason};
    return round;
}

Outcome<Done> SlurmRound::submit(const SlurmClient& client, const std::string& name) {
    while (submitted_ < sent_.size()) {
        const bool gpu = sent_[submitted_].shard.gpu;
        std::size_t end = submitted_;
        while (end < sent_.size() && end - submitted_ < options_->array_size && sent_[end].shard.gpu == gpu) ++end;
        std::vector<std::string> arguments{"--parsable",
                                           fmt::format("--array=0-{}", end - submitted_ - 1),
                                           "--job-name=" + name,
                                           "--nodes=1",
                                           "--ntasks=1",
                                           fmt::format("--cpus-per-task={}", options_->cpus),
                                           "--output=" + plain_pattern(folder_.native()) + "/task-%A_%a.log",
                                           "--open-mode=append"};
        if (gpu) arguments.emplace_back("--gres=gpu:1");
        if (!options_->partition.empty()) arguments.push_back("--partition=" + options_->partition);
        if (!options_->account.empty()) arguments.push_back("--account=" + options_->account);
        if (!options_->time.empty()) arguments.push_back("--time=" + options_->time);
        arguments.insert(arguments.end(), options_->more.begin(), options_->more.end());
        arguments.push_back((folder_ / "task.sh").native());
        arguments.push_back(std::to_string(submitted_));
        const Outcome<std::string> job = client.submit(arguments);
        if (!job) return job.failure();
        for (std::size_t k = submitted_; k < end; ++k) {
            sent_[k].job = *job;
            sent_[k].index = k - submitted_;
            sent_[k].task.state = "PENDING";
        }
        submitted_ = end;
    }
    return Done{};
}

void SlurmRound::enter(const SlurmTasks& tasks, const SlurmClient& client) {
    std::vector<Sent*> held;
    std::vector<std::string> ids;
    for (Sent& sent : sent_) {
        if (sent.over) continue;
        auto found = tasks.find(sent.task_id());
        if (found == tasks.end()) found = tasks.find(sent.job);
        if (found == tasks.end()) { // the last state stays as it was seen
            sent.over = true;
            continue;
        }
        sent.task = found->second;
        sent.over = sent.task.ended();
        if (!sent.task.held()) continue;
        held.push_back(&sent);
        ids.push_back(sent.task_id());
    }
    if (!ids.empty() && client.cancel(ids))
        for (Sent* sent : held) sent->over = true;
}

void SlurmRound::read_report(std::size_t number) {
    Sent& sent = sent_[number];
    bool ok = false;
    const std::string text = read_text(report_file(folder_, number), ok);
    if (!ok) return;
    const Outcome<ShardReport> report = shard_report_from_json(text);
    if (!report) return;
    heard_ = true;
    sent.reported = true;
    if (sent.task.node.empty()) sent.task.node = report->node;
    for (const auto& [position, fault] : report->faults)
        if (position < sent.faults.size()) sent.faults[position] = fault;
}

std::vector<std::size_t> SlurmRound::sweep(std::size_t most, bool of_waiting) {
    read_anew(folder_);
    std::vector<std::size_t> found;
    std::size_t looked = 0;
    for (std::size_t step = 0; step < sent_.size(); ++step) {
        const std::size_t number = (cursor_ + step) % sent_.size();
        Sent& sent = sent_[number];
        if (!sent.any_open()) continue;
        if (!sent.reported) read_report(number);
        if (!of_waiting && !sent.reported && !sent.over && sent.task.state == "PENDING") continue;
        if (looked >= most) {
            cursor_ = number;
            break;
        }
        for (std::size_t i = 0; i < sent.open.size(); ++i) {
            if (!sent.open[i]) continue;
            ++looked;
            const Unit& unit = plan_->units[sent.shard.units[i]];
            const fs::path record = options_->out / unit.record_path();
            if (sent.reported || sent.over) read_anew(record.parent_path());
            if (result_of(options_->out, unit)) {
                sent.open[i] = false;
                heard_ = true;
                found.push_back(sent.shard.units[i]);
            }
        }
    }
    return found;
}

std::size_t SlurmRound::at_work() const {
    return static_cast<std::size_t>(
        std::count_if(sent_.begin(), sent_.end(), [](const Sent& sent) { return !sent.job.empty() && !sent.over; }));
}

bool SlurmRound::complete() const {
    return std::none_of(sent_.begin(), sent_.end(), [](const Sent& sent) { return sent.any_open(); });
}

bool SlurmRound::unexplained() const {
    return std::any_of(sent_.begin(), sent_.end(), [](const Sent& sent) {
        for (std::size_t i = 0; i < sent.open.size(); ++i)
            if (sent.open[i] && !sent.faults[i].changed && sent.faults[i].reason.empty()) return true;
        return false;
    });
}

bool SlurmRound::heard_of() const {
    if (heard_) return true;
    std::error_code ignored;
    for (fs::directory_iterator at(folder_, ignored), end; !ignored && at != end; at.increment(ignored))
        if (at->path().extension() == ".log") return true;
    return false;
}

int SlurmRound::running() const {
    return static_cast<int>(std::count_if(sent_.begin(), sent_.end(), [](const Sent& sent) {
        return !sent.over && (sent.task.state == "RUNNING" || sent.task.state == "COMPLETING");
    }));
}

std::string SlurmRound::waits_because() const {
    if (running() > 0) return "";
    for (const Sent& sent : sent_)
        if (!sent.over && sent.task.state == "PENDING") return sent.task.reason;
    return "";
}

UnitFault SlurmRound::fault_of(const Sent& sent, std::size_t position) const {
    const UnitFault& known = sent.faults[position];
    if (known.changed || !known.reason.empty()) return known;
    const SlurmTask& task = sent.task;
    const std::string where = task.node.empty() ? "" : " on " + task.node;
    if (task.held()) return {false, fmt::format("its task was held ({})", task.reason)};
    if (task.state == "NODE_FAIL") return {false, fmt::format("its task was lost{}: the node failed", where)};
    if (task.state == "TIMEOUT")
        return {false, fmt::format("its task ran out of time{}: give more with --time, or fewer submissions a task "
                                   "with --shard-size",
                                   where)};
    if (task.state == "OUT_OF_MEMORY")
        return {false, fmt::format("its task ran out of memory{}: give more with --sbatch-option=--mem=4G", where)};
    bool ok = false;
    const std::string said =
        last_line(read_text(folder_ / fmt::format("task-{}_{}.log", sent.job, sent.index), ok, std::size_t{64} << 20));
    const std::string state = task.ended() ? fmt::format(" as {}", task.state) : "";
    return {false,
            fmt::format("its task ended{}{} without its result{}{}", where, state, said.empty() ? "" : ": ", said)};
}

} // namespace assay
