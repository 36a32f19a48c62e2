#include "commands/probes.hpp"

#include "catalogue/files.hpp"

#include <cstdlib>
#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace assay {

namespace {

/// A function of the CUDA driver, which is opened only here: nothing of ours is linked with it.
template <class Function> Function symbol(void* library, const char* name) {
    return reinterpret_cast<Function>(dlsym(library, name));
}

} // namespace

std::string program_on_path(std::string_view name) {
    const char* path = std::getenv("PATH");
    std::string_view rest = path != nullptr ? path : "/usr/bin:/bin";
    while (true) {
        const std::size_t end = rest.find(':');
        const fs::path program = fs::path(rest.substr(0, end)) / name;
        std::error_code failed;
        if (program.is_absolute() && fs::is_regular_file(program, failed) && access(program.c_str(), X_OK) == 0)
            return program.string();
        if (end == std::string_view::npos) return "";
        rest.remove_prefix(end + 1);
    }
}

std::vector<std::string> gpus(std::string& why) {
    void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        why = "no CUDA driver (libcuda.so.1)";
        return {};
    }
    const auto init = symbol<int (*)(unsigned)>(library, "cuInit");
    const auto count = symbol<int (*)(int*)>(library, "cuDeviceGetCount");
    const auto name = symbol<int (*)(char*, int, int)>(library, "cuDeviceGetName");
    const auto memory = symbol<int (*)(std::size_t*, int)>(library, "cuDeviceTotalMem_v2");
    int devices = 0;
    if (init == nullptr || count == nullptr || name == nullptr || memory == nullptr) {
        why = "the CUDA driver lacks the functions asked for";
    } else if (const int error = init(0); error != 0) {
        why = fmt::format("the CUDA driver does not start (error {})", error);
    } else if (count(&devices) != 0 || devices == 0) {
        why = "the CUDA driver shows no device";
    }
    std::vector<std::string> found;
    for (int device = 0; device < devices; ++device) {
        char text[128] = "";
        std::size_t bytes = 0;
        if (name(text, sizeof text, device) == 0 && memory(&bytes, device) == 0)
            found.push_back(fmt::format("{}, {:.0f} GiB", text, static_cast<double>(bytes) / (1 << 30)));
    }
    return found; // the library stays loaded: CUDA's threads do not survive its leaving
}

std::string install_command(std::string_view debian, std::string_view fedora, std::string_view arch) {
    bool ok = false;
    const std::string release = read_text("/etc/os-release", ok, 1 << 16);
    const auto is = [&](const char* name) { return release.find(name) != std::string::npos; };
    if (is("ID=fedora") || is("rhel")) return fmt::format("sudo dnf install {}", fedora);
    if (is("ID=arch") || is("ID_LIKE=arch")) return fmt::format("sudo pacman -S {}", arch);
    return fmt::format("sudo apt-get install {}", debian);
}

std::string unwritable(const fs::path& folder) {
    const fs::path probe = folder / ".probe";
    const std::string reason = write_text(probe, "");
    std::error_code ignored;
    if (reason.empty()) fs::remove(probe, ignored);
    return reason;
}

} // namespace assay
