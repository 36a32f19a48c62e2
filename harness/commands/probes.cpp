#include "commands/probes.hpp"

#include "catalogue/files.hpp"

#include <cstdlib>
#include <fmt/format.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace assay {

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
