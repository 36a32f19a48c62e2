// Whom `assay bench` times: the attempt, what the exercise brings, others by file; on the CPU, or in CUDA on a GPU.
#ifndef ASSAY_COMMANDS_BENCH_PROGRAMS_HPP
#define ASSAY_COMMANDS_BENCH_PROGRAMS_HPP

#include "catalogue/state.hpp"
#include "commands/bench.hpp"
#include "commands/contestants.hpp"
#include "report/bench.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace assay {

/// The exercise, and the attempt where there is one: an exercise can be timed by what it brings itself.
struct BenchTarget {
    std::string exercise;
    std::optional<std::filesystem::path> attempt;
    std::string note;
};

/// Throws Stop (usage), also for an attempt that cannot run where it is to be timed.
BenchTarget bench_target(const BenchArguments& arguments, const State& state);

/// The attempt first: it is the one whose twin is the control. On a device the exercise's own programs are those in
/// CUDA; another file takes part in whatever language it is in, one in C++ or Python beside the device, on the CPU.
std::vector<Program> bench_programs(const BenchTarget& target, const BenchArguments& arguments, const BuildFor& with,
                                    const std::filesystem::path& folder);

/// Takes out what is not ready. What names no program that could run is wrong usage (Stop); what does not compile is
/// told beside the others' figures.
std::vector<BenchReport::LeftOut> take_refused(std::vector<Program>& programs);

/// Whether the exercise brings the program of this name.
bool is_own_program(const std::string& name);

} // namespace assay

#endif
