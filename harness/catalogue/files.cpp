#include "catalogue/files.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <pwd.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#ifndef ASSAY_SOURCE_DIR
#define ASSAY_SOURCE_DIR ""
#endif

namespace fs = std::filesystem;

namespace assay {

namespace {

/// An environment variable that holds an absolute path (the XDG rules ask that others be ignored).
fs::path from_environment(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value == '/' ? fs::path(value) : fs::path();
}

fs::path home() {
    if (fs::path home = from_environment("HOME"); !home.empty()) return home;
    const passwd* entry = getpwuid(getuid());
    return entry != nullptr && entry->pw_dir != nullptr ? fs::path(entry->pw_dir) : fs::temp_directory_path();
}

/// A descriptor that closes itself.
struct Descriptor {
    int fd;
    ~Descriptor() {
        if (fd >= 0) close(fd);
    }
};

bool write_all(int fd, std::string_view text) {
    while (!text.empty()) {
        const ssize_t n = write(fd, text.data(), text.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        text.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
}

} // namespace

fs::path Layout::worker(std::string_view exercise) const {
    return root / "libexec" / "assay" / ("worker-" + std::string(exercise));
}

fs::path Layout::entry_object(std::string_view exercise) const {
    return root / "libexec" / "assay" / ("entry-" + std::string(exercise) + ".o");
}

fs::path Layout::cuda_entry_object(std::string_view exercise) const {
    return root / "libexec" / "assay" / ("entry-cuda-" + std::string(exercise) + ".o");
}

fs::path Layout::cuda_headers() const {
    if (!sources.empty()) return sources / "cuda" / "host" / "include";
    return root / "share" / "assay" / "cuda";
}

fs::path Layout::device_sources() const {
    if (!sources.empty()) return sources / "harness";
    return root / "share" / "assay" / "device";
}

fs::path Layout::contract(std::string_view exercise) const {
    if (!sources.empty()) return sources / "exercises" / exercise;
    return root / "share" / "assay" / "exercises" / exercise;
}

fs::path Layout::headers() const {
    if (!sources.empty()) return sources / "harness" / "contract";
    return root / "share" / "assay" / "contract";
}

Layout layout_of(const fs::path& executable, const fs::path& source) {
    Layout layout;
    layout.executable = executable;
    layout.root = executable.parent_path().parent_path();
    std::error_code failed;
    const bool installed = fs::exists(layout.root / "share" / "assay" / "contract" / "assay" / "tensor.hpp", failed);
    if (!installed && fs::is_directory(source / "exercises", failed)) layout.sources = source;
    return layout;
}

const Layout& layout() {
    static const Layout found = [] {
        std::error_code failed;
        return layout_of(fs::read_symlink("/proc/self/exe", failed), ASSAY_SOURCE_DIR);
    }();
    return found;
}

fs::path source_checkout() {
    const fs::path source = ASSAY_SOURCE_DIR;
    std::error_code failed;
    return !source.empty() && fs::is_directory(source / "exercises", failed) ? source : fs::path();
}

fs::path cache_folder() {
    if (fs::path cache = from_environment("ASSAY_CACHE_DIR"); !cache.empty()) return cache;
    if (fs::path cache = from_environment("XDG_CACHE_HOME"); !cache.empty()) return cache / "assay";
    return home() / ".cache" / "assay";
}

fs::path state_folder() {
    if (fs::path state = from_environment("XDG_STATE_HOME"); !state.empty()) return state / "assay";
    return home() / ".local" / "state" / "assay";
}

std::string read_text(const fs::path& path, bool& ok, std::size_t most) {
    ok = false;
    // O_NONBLOCK: opening a pipe that nobody writes to must not hang.
    const Descriptor file{open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    struct stat status {};
    if (file.fd < 0 || fstat(file.fd, &status) != 0 || !S_ISREG(status.st_mode)) return "";
    std::string text;
    char buffer[1 << 14];
    while (text.size() <= most) {
        const ssize_t n = read(file.fd, buffer, sizeof buffer);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return "";
        if (n == 0) {
            ok = true;
            return text;
        }
        text.append(buffer, static_cast<std::size_t>(n));
    }
    return "";
}

std::string write_text(const fs::path& path, std::string_view text) {
    std::error_code failed;
    if (path.has_parent_path()) fs::create_directories(path.parent_path(), failed);
    if (failed) return "the folder " + path.parent_path().string() + " cannot be made: " + failed.message();
    std::string beside = path.string() + ".XXXXXX";
    const Descriptor file{mkostemp(beside.data(), O_CLOEXEC)};
    if (file.fd < 0) return path.string() + " cannot be written: " + std::strerror(errno);
    const mode_t mask = umask(0); // mkostemp makes files for the owner alone; umask can only be read by setting it
    umask(mask);
    fchmod(file.fd, 0666 & ~mask);
    if (!write_all(file.fd, text) || rename(beside.c_str(), path.c_str()) != 0) {
        const std::string reason = path.string() + " cannot be written: " + std::strerror(errno);
        unlink(beside.c_str());
        return reason;
    }
    return "";
}

} // namespace assay
