#include "commands/device_at_hand.hpp"

#include "attempt/build_cuda.hpp"
#include "commands/stop.hpp"
#include "sandbox/system_files.hpp"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>

namespace assay {

namespace fs = std::filesystem;

namespace {

/// What the driver keeps in this process's address space, pinned host memory and its own threads count towards a
/// worker's memory: the exercise's limit is for what an attempt takes beside that.
constexpr std::uint64_t memory_of_cuda = std::uint64_t{2} << 30;

} // namespace

Outcome<DeviceAtHand> find_device() {
    const Outcome<DeviceCompiler> nvcc = find_nvcc(); // first: starting the driver takes longer
    if (!nvcc) return Failure{Verdict::SKIP, nvcc.failure().reason, {}};
    const DeviceProbe probe = probe_devices();
    if (probe.devices.empty()) return Failure{Verdict::SKIP, probe.why, {}};
    DeviceAtHand found{*nvcc, probe.devices.front(), probe.library};
    found.compiler.architecture = found.device.architecture();
    return found;
}

std::optional<DeviceAtHand> device_at_hand(const fs::path& source, WantedDevice wanted) {
    if (!is_cuda(source)) {
        if (wanted == WantedDevice::unsaid) return std::nullopt;
        throw Stop(Exit::usage, fmt::format("--device is for attempts in CUDA, and {} is none: leave it out",
                                            source.filename().string()));
    }
    if (wanted != WantedDevice::cuda) return std::nullopt;
    const Outcome<DeviceAtHand> found = find_device();
    if (!found)
        throw Stop(Exit::environment,
                   fmt::format("{} cannot run on a GPU: {}; check it with --device emulated, or where there is one",
                               source.filename().string(), found.failure().reason));
    return *found;
}

void open_device(WorkerSetup& setup, const DeviceAtHand& at_hand) {
    std::error_code error;
    // The nodes of all devices: the driver counts them before CUDA_VISIBLE_DEVICES hides any. -uvm-tools is opened with
    // -uvm since driver 570; /dev/dxg is Windows' (WSL).
    for (fs::directory_iterator at("/dev", error), end; !error && at != end; at.increment(error)) {
        const std::string name = at->path().filename().native();
        const bool numbered = name.size() > 6 && name.compare(0, 6, "nvidia") == 0 &&
                              name.find_first_not_of("0123456789", 6) == std::string::npos;
        if (numbered || name == "nvidiactl" || name == "nvidia-uvm" || name == "nvidia-uvm-tools" || name == "dxg")
            setup.devices.push_back(at->path());
    }
    std::sort(setup.devices.begin(), setup.devices.end());
    // Where the driver lies apart from the system's libraries, as containers mount it.
    const fs::path folder = at_hand.driver.parent_path();
    const std::vector<fs::path> system = system_libraries();
    if (!folder.empty()) {
        setup.environment.push_back("LD_LIBRARY_PATH=" + folder.native());
        if (std::none_of(system.begin(), system.end(), [&](const fs::path& one) { return lies_in(folder, one); }))
            setup.readable.push_back(at_hand.driver.parent_path());
        if (const fs::path real = fs::canonical(at_hand.driver, error).parent_path(); !error && real != folder)
            setup.readable.push_back(real);
    }
    const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
    setup.environment.push_back(fmt::format("CUDA_VISIBLE_DEVICES={}", visible != nullptr ? visible : "0"));
    setup.environment.push_back("CUDA_CACHE_DISABLE=1"); // it would lie in a home that is not there
    setup.memory += memory_of_cuda;
}

} // namespace assay
