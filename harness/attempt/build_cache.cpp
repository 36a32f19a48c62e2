// The cache on disk: whole files or none, each library beside its checksum.
#include "attempt/build_cache.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <mutex>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>
#include <xxhash.h>

namespace assay {

namespace fs = std::filesystem;

struct ContentHash::State {
    XXH3_state_t* state = XXH3_createState();
};

ContentHash::ContentHash() : state_(std::make_unique<State>()) { XXH3_128bits_reset(state_->state); }
ContentHash::~ContentHash() { XXH3_freeState(state_->state); }

ContentHash& ContentHash::add(std::string_view field) {
    const std::uint64_t size = field.size();
    XXH3_128bits_update(state_->state, &size, sizeof size);
    XXH3_128bits_update(state_->state, field.data(), field.size());
    return *this;
}

std::string ContentHash::hex() const {
    const XXH128_hash_t hash = XXH3_128bits_digest(state_->state);
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

namespace {

std::optional<std::string> read_whole(int fd, std::uintmax_t most, bool one_name) {
    if (fd < 0) return std::nullopt;
    struct stat status {};
    std::optional<std::string> text;
    if (::fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && static_cast<std::uintmax_t>(status.st_size) <= most &&
        (!one_name || status.st_nlink == 1)) {
        text.emplace(static_cast<std::size_t>(status.st_size), '\0');
        std::size_t filled = 0;
        while (filled < text->size()) {
            const ssize_t got = ::read(fd, text->data() + filled, text->size() - filled);
            if (got < 0 && errno == EINTR) continue;
            if (got < 0) text.reset();
            if (got <= 0) break;
            filled += static_cast<std::size_t>(got);
        }
        if (text) text->resize(filled);
    }
    ::close(fd);
    return text;
}

} // namespace

std::optional<std::string> read_file(const fs::path& path, std::uintmax_t most) {
    // O_NONBLOCK: opening a FIFO must not wait for its writer.
    return read_whole(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK), most, false);
}

bool write_file(const fs::path& path, std::string_view text) {
    static std::atomic<unsigned> number{0};
    const std::string beside = fmt::format("{}.{}-{}.tmp", path.native(), ::getpid(), number++);
    const int fd = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0) return false;
    bool whole = true;
    while (whole && !text.empty()) {
        const ssize_t put = ::write(fd, text.data(), text.size());
        if (put < 0 && errno == EINTR) continue;
        whole = put > 0;
        if (whole) text.remove_prefix(static_cast<std::size_t>(put));
    }
    whole = ::close(fd) == 0 && whole && std::rename(beside.c_str(), path.c_str()) == 0;
    if (!whole) ::unlink(beside.c_str());
    return whole;
}

namespace {

std::mutex temporary_lock;
fs::path temporary_cache; // "" while none is needed

Outcome<fs::path> make_unique_folder(const fs::path& root) {
    std::string name = (root / "assay-XXXXXX").native();
    if (!::mkdtemp(name.data()))
        return Failure{Verdict::JE, fmt::format("no temporary folder could be made in {} ({}): set TMPDIR to a folder "
                                                "that can be written",
                                                root.native(), std::strerror(errno))};
    return fs::path(name);
}

fs::path temporary_root() {
    const char* set = std::getenv("TMPDIR");
    return set && *set ? fs::path(set) : fs::path("/tmp");
}

constexpr std::string_view sum_extension = ".sum";

std::string sum_of(std::string_view content) { return ContentHash().add(content).hex(); }

} // namespace

Outcome<CacheRoot> cache_root(const fs::path& wanted) {
    std::string why;
    if (!wanted.empty()) {
        std::error_code error;
        const fs::path folder = fs::absolute(wanted, error);
        if (!error) fs::create_directories(folder, error);
        if (!error && ::access(folder.c_str(), W_OK | X_OK) == 0) return CacheRoot{folder, {}};
        why = error ? error.message() : std::strerror(errno);
    }
    const std::lock_guard<std::mutex> lock(temporary_lock);
    if (temporary_cache.empty()) {
        Outcome<fs::path> made = make_unique_folder(temporary_root());
        if (!made) return made.failure();
        temporary_cache = *made;
    }
    std::string note;
    if (!wanted.empty())
        note = fmt::format("the cache {} cannot be written ({}), so nothing is kept for the next time", wanted.native(),
                           why);
    return CacheRoot{temporary_cache, note};
}

void remove_temporary_cache() {
    const std::lock_guard<std::mutex> lock(temporary_lock);
    if (temporary_cache.empty()) return;
    std::error_code error;
    fs::remove_all(temporary_cache, error);
    temporary_cache.clear();
}

Outcome<TemporaryFolder> TemporaryFolder::make(const fs::path& root) {
    std::error_code error;
    fs::create_directories(root, error);
    Outcome<fs::path> made = make_unique_folder(root);
    if (!made) return made.failure();
    return TemporaryFolder(*made);
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::move(other.path_)) {
    other.path_.clear();
}
TemporaryFolder& TemporaryFolder::operator=(TemporaryFolder&& other) noexcept {
    std::swap(path_, other.path_);
    return *this;
}
TemporaryFolder::~TemporaryFolder() {
    std::error_code error;
    if (!path_.empty()) fs::remove_all(path_, error);
}

std::optional<fs::path> find_kept(const fs::path& folder, const std::string& name) {
    const fs::path path = folder / name;
    const auto sum = read_file(folder / (name + std::string(sum_extension)), 64);
    if (!sum) return std::nullopt;
    const auto content = read_file(path);
    if (!content || sum_of(*content) != *sum) return std::nullopt;
    ::utimensat(AT_FDCWD, path.c_str(), nullptr, 0);
    return path;
}

std::optional<fs::path> keep(const fs::path& folder, const std::string& name, const fs::path& file) {
    const auto content =
        read_whole(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW), std::uintmax_t{1} << 30, true);
    std::error_code error;
    fs::create_directories(folder, error);
    const fs::path path = folder / name;
    if (!content || error || !write_file(path, *content)) return std::nullopt;
    write_file(folder / (name + std::string(sum_extension)), sum_of(*content));
    return path;
}

} // namespace assay
