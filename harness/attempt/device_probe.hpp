// The machine's GPUs as the CUDA driver tells of them. Its library is opened at run time: nothing of ours is linked
// with it, so that one program serves machines with a GPU and without.
#ifndef ASSAY_ATTEMPT_DEVICE_PROBE_HPP
#define ASSAY_ATTEMPT_DEVICE_PROBE_HPP

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace assay {

struct Device {
    std::string name;         // "NVIDIA H200"
    int major = 0, minor = 0; // compute capability
    std::uint64_t memory = 0; // bytes
    std::string architecture() const { return "sm_" + std::to_string(major) + std::to_string(minor); }
};

struct DeviceProbe {
    std::vector<Device> devices;   // in the driver's order
    std::string why;               // there are none; "" where there are
    std::filesystem::path library; // the driver's library; "" where it could not be opened
};

/// Starts the driver in this process, where its library stays until the end: CUDA's threads do not survive its leaving.
DeviceProbe probe_devices(const char* library = "libcuda.so.1");

} // namespace assay

#endif
