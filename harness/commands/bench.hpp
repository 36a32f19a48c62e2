// assay bench: an attempt timed against the exercise's own programs and others, beside what this machine can do.
#ifndef ASSAY_COMMANDS_BENCH_HPP
#define ASSAY_COMMANDS_BENCH_HPP

#include "commands/check.hpp"
#include "commands/device_at_hand.hpp"
#include "commands/stop.hpp"
#include "report/style.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace assay {

struct BenchArguments {
    std::string target;              // exercise or file; "" = the only attempt in this folder
    std::string file;                // the attempt, where `target` is an exercise; "" = the one at hand
    std::vector<std::string> others; // files
    std::vector<std::string> cases;  // ids; empty = the first
    double seconds = 10;             // a case
    std::optional<std::int64_t> threads;
    WantedDevice device = WantedDevice::unsaid; // cuda: attempts in CUDA, on a GPU; else all on the CPU
    std::string compiler, isolation;
    Format format = Format::terminal;
    ColorMode color = ColorMode::automatic;
};

/// Passed where every figure that was asked for is there; falls short where the attempt, or another file, does not
/// compile or gives wrong answers.
Exit bench_command(const BenchArguments& arguments);

} // namespace assay

#endif
