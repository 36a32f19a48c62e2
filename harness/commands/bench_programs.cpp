#include "commands/bench_programs.hpp"

#include "attempt/build_cuda.hpp"
#include "commands/find_attempt.hpp"
#include "commands/print.hpp"
#include "core/registry.hpp"
#include "report/text.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace fs = std::filesystem;

namespace assay {

namespace {

constexpr std::array own_names{"solution", "naive", "fast"};

bool on_device(const BenchArguments& arguments) { return arguments.device == WantedDevice::cuda; }

/// An attempt that was named must run where it was asked to.
BenchTarget named(const FoundAttempt& found, const BenchArguments& arguments) {
    if (on_device(arguments) && !is_cuda(found.source))
        throw Stop(Exit::usage,
                   fmt::format("--device cuda times attempts in CUDA, and {0} is none: leave it out, or give the file "
                               "by --with to time it on the CPU beside those on the GPU",
                               printable(found.source.filename().native())));
    return {found.exercise, found.source, ""};
}

std::string free_name(const std::vector<Program>& programs, const fs::path& file) {
    const std::string name = printable(file.filename().native());
    std::string free = name;
    for (int i = 2; std::any_of(programs.begin(), programs.end(), [&](const Program& p) { return p.name == free; });
         ++i)
        free = fmt::format("{} ({})", name, i);
    return free;
}

} // namespace

BenchTarget bench_target(const BenchArguments& arguments, const State& state) {
    if (!arguments.file.empty()) {
        require_exercise(arguments.target);
        return named(find_attempt(arguments.file, arguments.target, here(), state), arguments);
    }
    if (find_exercise(arguments.target) == nullptr)
        return named(find_attempt(arguments.target, "", here(), state), arguments);
    try {
        const FoundAttempt found = find_attempt(arguments.target, "", here(), state);
        if (!on_device(arguments) || is_cuda(found.source)) return {found.exercise, found.source, ""};
        return {found.exercise, std::nullopt,
                fmt::format("no attempt of yours takes part, since {} is not in CUDA: name a .cu file to time it",
                            printable(found.source.filename().native()))};
    } catch (const Stop& none) {
        if (none.exit() != Exit::usage) throw;
        return {arguments.target, std::nullopt, "no attempt of yours takes part: name its file to time it"};
    }
}

std::vector<Program> bench_programs(const BenchTarget& target, const BenchArguments& arguments, const BuildFor& with,
                                    const fs::path& folder) {
    std::vector<Program> programs;
    if (target.attempt) programs.push_back(make_program("attempt", *target.attempt, with));
    for (const char* name : own_names)
        if (const auto source = lay_own(with.exercise, name, folder, on_device(arguments) ? ".cu" : ".cpp"); source)
            programs.push_back(make_program(name, *source, with));
    for (const std::string& other : arguments.others) {
        const fs::path file = here() / other;
        programs.push_back(make_program(free_name(programs, file), file, with));
    }
    return programs;
}

std::vector<BenchReport::LeftOut> take_refused(std::vector<Program>& programs) {
    std::vector<BenchReport::LeftOut> left;
    for (const Program& program : programs) {
        if (program.refused.empty()) continue;
        if (program.diagnostics.empty() && program.name != "fast") throw Stop(Exit::usage, program.refused);
        left.push_back({program.name, program.refused, program.diagnostics});
    }
    std::erase_if(programs, [](const Program& program) { return !program.refused.empty(); });
    return left;
}

bool is_own_program(const std::string& name) {
    return std::find(own_names.begin(), own_names.end(), name) != own_names.end();
}

} // namespace assay
