// The programs of a race: an attempt, what the exercise itself brings (solution, naive, fast), others by file; each
// built for this processor, or in CUDA for a device, and run in a process of its own.
#ifndef ASSAY_COMMANDS_CONTESTANTS_HPP
#define ASSAY_COMMANDS_CONTESTANTS_HPP

#include "attempt/worker_attempt.hpp"
#include "catalogue/settings.hpp"
#include "commands/device_at_hand.hpp"
#include "commands/record_frame.hpp"
#include "commands/scratch_folder.hpp"
#include "core/exercise.hpp"
#include "timing/race.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// A worker that answers the problems of one level.
class WorkerContestant final : public timing::Contestant {
  public:
    WorkerContestant(const Exercise& exercise, const Level& level, const WorkerSetup& setup);
    Outcome<Answer> ask(const Problem& problem) override;
    Outcome<double> empty_call() override;
    /// Bytes of its own at most over one answer.
    Outcome<std::int64_t> peak_bytes(const Problem& problem);

  private:
    const Level& level_;
    WorkerAttempt attempt_;
};

/// Why no attempt in CUDA is, but on a device.
inline constexpr const char* untimed_emulation =
    "its kernels are emulated on the CPU, for correctness only: how long that takes says nothing of a GPU";

struct BuildFor {
    const Exercise& exercise;
    const Settings& settings;
    std::string compiler = {}; // name or path; "" = the first found
    const Layers* layers = &layers_here();
    int threads = 0;                         // 0 = what the exercise allows
    double cpu_seconds = 0;                  // a call may take
    std::optional<DeviceAtHand> device = {}; // that programs in CUDA run on
};

/// A program that is ready to be started, as often as it is needed.
struct Program {
    std::string name;        // "attempt", "solution", "naive", "fast", or a file's name
    std::string refused;     // why it is not ready; "" = it is
    std::string diagnostics; // the compiler's, where it does not compile
    std::string source_hash;
    WorkerSetup setup;
    bool on_device = false;
};

/// A seed that nobody can have computed with beforehand. Throws Stop (environment) where the system gives none.
std::uint64_t drawn_secret();

/// The level whose script asks this problem; null where none does.
const Level* level_that_asks(const Exercise& exercise, const Problem& problem);

/// Builds `source` with the flags of [build] and -march=native; fast.cpp with those of [fast]; in CUDA for the device.
/// Throws Stop where there is nothing to build it with, and (environment) for CUDA without a device, which is only
/// emulated.
Program make_program(const std::string& name, const std::filesystem::path& source, const BuildFor& with);

/// What the exercise brings of this name, written into `folder`; nothing where it has none. "solution" is
/// solutions/<id>/bench/readable.cpp, or solution.cpp where there is none, "naive" is bench/naive.cpp and "fast" is
/// fast.cpp; in CUDA the extension is ".cu".
std::optional<std::filesystem::path> lay_own(const Exercise& exercise, std::string_view name,
                                             const std::filesystem::path& folder, std::string_view extension = ".cpp");

} // namespace assay

#endif
