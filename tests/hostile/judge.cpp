#include "hostile/judge.hpp"

#include "attempt/build.hpp"
#include "commands/in_order.hpp"
#include "commands/run_check.hpp"
#include "commands/stop.hpp"
#include "core/registry.hpp"
#include "report/json.hpp"
#include "report/terminal.hpp"

#include <fmt/format.h>
#include <fstream>
#include <unistd.h>

namespace assay::hostile {

namespace {

volatile unsigned long something_of_ours = 0x5ec2e7; // what an attack on the judge's memory aims at

/// Tells the attempt where its judge is to be found.
void complete_bait(const std::filesystem::path& source) {
    const std::filesystem::path bait = source.parent_path() / "bait.h";
    if (!std::filesystem::exists(bait)) return; // an honest one
    std::ofstream(bait, std::ios::app) << fmt::format("#define BAIT_JUDGE {0}\n#define BAIT_JUDGE_ADDRESS {1:#x}ul\n"
                                                      "#define BAIT_JUDGE_ENVIRONMENT \"/proc/{0}/environ\"\n"
                                                      "#define BAIT_SOURCES \"{2}\"\n#define BAIT_PROGRAM \"{3}\"\n",
                                                      ::getpid(), reinterpret_cast<unsigned long>(&something_of_ours),
                                                      ASSAY_SOURCE_DIR,
                                                      std::filesystem::read_symlink("/proc/self/exe").string());
}

CheckRequest request_for(const Asked& asked) {
    CheckRequest request;
    request.exercise = asked.exercise;
    request.source = asked.source;
    request.options.level = asked.level;
    request.options.smallest = false;
    request.second_look = false;
    request.make_precompiled = false;
    // What never ends is ended soon: the bench is about the ways of it, not the figures.
    request.cpu_seconds = 1;
    request.compile_time = std::chrono::seconds(3);
    return request;
}

std::string verdict_of(const Asked& asked) {
    try {
        return std::string(code(run_check(request_for(asked)).record.verdict));
    } catch (const Stop& stop) {
        return stop.exit() == Exit::usage ? "unusable" : std::string("stopped: ") + stop.what();
    } catch (const std::exception& error) {
        return std::string("threw: ") + error.what();
    }
}

} // namespace

int check_one(const Asked& asked, double cpu_seconds, bool second_look) {
    complete_bait(asked.source);
    try {
        CheckRequest request = request_for(asked);
        request.cpu_seconds = cpu_seconds;
        request.second_look = second_look;
        const Checked checked = run_check(request);
        fmt::print("{}", to_json(checked.record));
        TerminalOptions options;
        options.target = "attempt.cpp";
        options.compiler_output = checked.diagnostics;
        fmt::print(stderr, "{}", to_terminal(checked.record, options));
        return static_cast<int>(exit_of(checked.record));
    } catch (const Stop& stop) {
        fmt::print(stderr, "{}\n", stop.what());
        return static_cast<int>(stop.exit());
    }
}

int check_many(const std::vector<Asked>& attempts, std::size_t threads) {
    std::vector<std::string> verdicts(attempts.size());
    std::vector<Task> tasks;
    for (const Asked& asked : attempts) {
        find_exercise(asked.exercise); // built before threads ask for it
        complete_bait(asked.source);
    }
    for (std::size_t i = 0; i < attempts.size(); ++i)
        tasks.push_back(
            {[&, i] { verdicts[i] = verdict_of(attempts[i]); }, [&, i] { fmt::print("{}\n", verdicts[i]); }});
    run_in_order(tasks, threads);
    return 0;
}

} // namespace assay::hostile
