// Whether an attempt in CUDA runs on this machine's GPU, and what its worker needs of the machine then.
#ifndef ASSAY_COMMANDS_DEVICE_AT_HAND_HPP
#define ASSAY_COMMANDS_DEVICE_AT_HAND_HPP

#include "attempt/device_compiler.hpp"
#include "attempt/device_probe.hpp"
#include "attempt/worker_attempt.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace assay {

/// Where an attempt in CUDA is to run. Unsaid it is the emulation, which finds more: races, overruns, memory that
/// nobody wrote.
enum class WantedDevice { unsaid, cuda, emulated };

struct DeviceAtHand {
    DeviceCompiler compiler; // for `device`
    Device device;
    std::filesystem::path driver; // the driver's library
};

/// The first GPU and nvcc. Failure (SKIP): one of them is not here.
Outcome<DeviceAtHand> find_device();

/// The same; nothing where the attempt is to be emulated, or is not in CUDA. Throws Stop: (usage) a
/// device is wanted for an attempt that is not in CUDA, (environment) a GPU is wanted and it or nvcc is not here.
std::optional<DeviceAtHand> device_at_hand(const std::filesystem::path& source, WantedDevice wanted);

/// Adds to a worker's setup what CUDA needs beside what any attempt may have.
void open_device(WorkerSetup& setup, const DeviceAtHand& at_hand);

} // namespace assay

#endif
