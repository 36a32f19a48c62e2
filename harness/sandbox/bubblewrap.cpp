#include "sandbox/bubblewrap.hpp"

#include <initializer_list>
#include <set>
#include <system_error>

namespace assay {

namespace fs = std::filesystem;

namespace {

/// Every folder on the way to these paths, outermost first. Those that bubblewrap makes by itself can be entered by its
/// own user alone.
std::set<fs::path> ways_to(const View& view) {
    std::set<fs::path> ways; // in order: a folder before what lies in it
    for (const auto* paths : {&view.readable, &view.writable, &view.devices})
        for (const fs::path& path : *paths)
            for (fs::path above = path.parent_path(); above.has_relative_path(); above = above.parent_path())
                ways.insert(above);
    return ways;
}

} // namespace

std::vector<std::string> bubblewrap_command(const Bubblewrap& how, const View& view, const fs::path& confine) {
    std::vector<std::string> command{how.program};
    const auto add = [&](std::initializer_list<std::string> more) { command.insert(command.end(), more); };
    if (how.user_space) add({"--unshare-user"});
    if (how.no_more_user_spaces) add({"--disable-userns"});
    add({"--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--die-with-parent", "--as-pid-1"});
    // Folders that are links on most systems ("/lib" -> "usr/lib") stay links.
    for (const char* folder : {"/lib", "/lib64", "/lib32", "/bin", "/sbin"}) {
        std::error_code error;
        const fs::path target = fs::read_symlink(folder, error);
        if (!error) add({"--symlink", target.native(), folder});
    }
    if (view.temporary > 0) add({"--perms", "1777", "--size", std::to_string(view.temporary), "--tmpfs", "/tmp"});
    for (const fs::path& path : ways_to(view)) add({"--dir", path.native()});
    for (const fs::path& path : view.readable) add({"--ro-bind-try", path.native(), path.native()});
    for (const fs::path& path : view.hidden) add({"--ro-bind", "/dev/null", path.native()});
    add({"--dir", "/dev"});
    for (const char* device : {"/dev/null", "/dev/zero", "/dev/urandom"}) add({"--dev-bind", device, device});
    for (const fs::path& device : view.devices) add({"--dev-bind-try", device.native(), device.native()});
    if (how.proc) add({"--proc", "/proc"});
    for (const fs::path& path : view.writable) add({"--bind", path.native(), path.native()});
    add({"--ro-bind", confine.native(), confine_inside, "--remount-ro", "/", "--chdir", "/", "--", confine_inside});
    return command;
}

} // namespace assay
