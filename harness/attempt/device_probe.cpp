#include "attempt/device_probe.hpp"

#include <array>
#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

namespace assay {

namespace {

// cuda.h's numbers, which have been these since CUDA 5.
constexpr int success = 0, no_device = 100;
constexpr int capability_major = 75, capability_minor = 76;

template <class Function> bool find(void* library, const char* name, Function*& function) {
    function = reinterpret_cast<Function*>(::dlsym(library, name));
    return function != nullptr;
}

} // namespace

DeviceProbe probe_devices(const char* name) {
    DeviceProbe probe;
    void* library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        probe.why = "no CUDA driver (libcuda.so.1)";
        return probe;
    }
    if (link_map* map = nullptr; ::dlinfo(library, RTLD_DI_LINKMAP, &map) == 0) probe.library = map->l_name;
    int (*init)(unsigned);
    int (*count)(int*);
    int (*get)(int*, int);
    int (*name_of)(char*, int, int);
    int (*attribute)(int*, int, int);
    int (*memory)(std::size_t*, int);
    if (!find(library, "cuInit", init) || !find(library, "cuDeviceGetCount", count) ||
        !find(library, "cuDeviceGet", get) || !find(library, "cuDeviceGetName", name_of) ||
        !find(library, "cuDeviceGetAttribute", attribute) || !find(library, "cuDeviceTotalMem_v2", memory)) {
        probe.why = "the CUDA driver lacks the functions asked for";
        return probe;
    }
    int devices = 0;
    if (const int error = init(0); error != success && error != no_device) {
        probe.why = fmt::format("the CUDA driver does not start (error {})", error);
        return probe;
    } else if (error == no_device || count(&devices) != success || devices <= 0) {
        probe.why = "the CUDA driver shows no device";
        return probe;
    }
    for (int ordinal = 0; ordinal < devices; ++ordinal) {
        Device device;
        std::array<char, 256> text{};
        std::size_t bytes = 0;
        int handle = 0;
        if (get(&handle, ordinal) != success ||
            name_of(text.data(), static_cast<int>(text.size()) - 1, handle) != success ||
            attribute(&device.major, capability_major, handle) != success ||
            attribute(&device.minor, capability_minor, handle) != success || memory(&bytes, handle) != success)
            continue;
        device.name = text.data();
        device.memory = bytes;
        probe.devices.push_back(std::move(device));
    }
    if (probe.devices.empty()) probe.why = "the CUDA driver tells nothing of its devices";
    return probe;
}

} // namespace assay
