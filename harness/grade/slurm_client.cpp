#include "grade/slurm_client.hpp"

#include "attempt/toolchain_probe.hpp"
#include "grade/unit_runs.hpp"
#include "report/text.hpp"
#include "sandbox/process.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <unistd.h>

namespace assay {

namespace {

// A client waits up to 60 s for its configuration and 10 s and more for an answer.
constexpr std::chrono::seconds patience{100};

/// Its standard output, where it ended well.
Outcome<std::string> output_of(const std::string& program, const std::vector<std::string>& arguments) {
    Command command;
    command.arguments = {program};
    command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
    command.environment = whole_environment();
    const Outcome<Ended> ended = run(command, patience, std::size_t{256} << 20);
    if (!ended) return Failure{Verdict::SKIP, ended.failure().reason};
    if (ended->timed_out)
        return Failure{Verdict::SKIP, fmt::format("{} timed out after {} s", program, patience.count())};
    if (!ended->exited || ended->exit_code != 0) {
        const std::string said = last_line(ended->output);
        return Failure{Verdict::SKIP, said.empty() ? program + " failed without a word" : said};
    }
    return ended->output;
}

} // namespace

bool SlurmTask::ended() const {
    constexpr std::string_view ends[] = {"BOOT_FAIL", "CANCELLED", "COMPLETED",     "DEADLINE", "FAILED",
                                         "NODE_FAIL", "PREEMPTED", "OUT_OF_MEMORY", "REVOKED",  "TIMEOUT"};
    return std::find(std::begin(ends), std::end(ends), state) != std::end(ends);
}

bool SlurmTask::held() const {
    if (state == "REQUEUE_HOLD" || state == "SPECIAL_EXIT") return true;
    if (state != "PENDING") return false;
    return reason.find("Held") != std::string::npos || reason.find("held") != std::string::npos ||
           reason == "JobHoldMaxRequeue" || reason == "DependencyNeverSatisfied" || reason == "BadConstraints";
}

Outcome<SlurmClient> SlurmClient::find() {
    SlurmClient client;
    for (const auto& [name, place] : {std::pair<const char*, std::string*>{"sbatch", &client.sbatch_},
                                      {"squeue", &client.squeue_},
                                      {"scancel", &client.scancel_}}) {
        const auto found = find_program(name);
        if (!found)
            return Failure{Verdict::SKIP, fmt::format("there is no {} on PATH: grade where Slurm's programs are, or "
                                                      "without --engine slurm",
                                                      name)};
        *place = found->native();
    }
    return client;
}

Outcome<std::string> SlurmClient::submit(const std::vector<std::string>& arguments) const {
    const Outcome<std::string> output = output_of(sbatch_, arguments);
    if (!output) return output.failure();
    for (const std::string& line : lines_of(*output)) { // warnings may stand around it; "12" or "12;cluster"
        const std::string id = line.substr(0, line.find(';'));
        if (!id.empty() && id.find_first_not_of("0123456789") == std::string::npos) return id;
    }
    return Failure{Verdict::SKIP, fmt::format("sbatch gave no job id but: {}", last_line(*output))};
}

Outcome<SlurmTasks> SlurmClient::tasks(const std::string& name) const {
    const Outcome<std::string> output =
        output_of(squeue_, {"--noheader", "--array", "--states=all", fmt::format("--user={}", ::getuid()),
                            "--name=" + name, "--format=%i|%T|%r|%N"});
    if (!output) return output.failure();
    return tasks_from(*output);
}

Outcome<Done> SlurmClient::cancel_all(const std::string& name) const {
    const Outcome<std::string> output = output_of(scancel_, {fmt::format("--user={}", ::getuid()), "--name=" + name});
    if (!output) return output.failure();
    return Done{};
}

Outcome<Done> SlurmClient::cancel(const std::vector<std::string>& tasks) const {
    const Outcome<std::string> output = output_of(scancel_, tasks);
    if (!output) return output.failure();
    return Done{};
}

bool is_unreachable(std::string_view said) {
    constexpr std::string_view signs[] = {"to contact", "onnect", "timed out", "Zero Bytes", "authentication",
                                          "munge",      "Munge",  "standby",   "busy",       "temporarily"};
    return std::any_of(std::begin(signs), std::end(signs),
                       [&](std::string_view sign) { return said.find(sign) != std::string_view::npos; });
}

SlurmTasks tasks_from(std::string_view text) {
    SlurmTasks tasks;
    for (const std::string& line : lines_of(text)) {
        std::vector<std::string> fields;
        for (std::size_t at = 0; at <= line.size();) {
            const std::size_t end = std::min(line.find('|', at), line.size());
            fields.push_back(line.substr(at, end - at));
            at = end + 1;
        }
        if (fields.size() < 4 || fields[0].empty() || fields[0][0] < '0' || fields[0][0] > '9') continue; // a warning
        tasks[fields[0]] = {fields[1], fields[2], fields[3]};
    }
    return tasks;
}

} // namespace assay
