#include "sandbox/landlock.hpp"

#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace assay {

namespace {

// The headers of Debian 12 know the first version alone; numbers are the same on every architecture.
constexpr long create_ruleset = 444, add_rule = 445, restrict_self = 446;
constexpr unsigned ask_version = 1;
constexpr int path_beneath = 1;

struct Ruleset {
    std::uint64_t files, network, scoped; // a kernel takes the fields it knows, by the size that is passed
};
struct [[gnu::packed]] PathBeneath {
    std::uint64_t allowed;
    std::int32_t parent;
};

constexpr std::uint64_t execute = 1u << 0, write_file = 1u << 1, read_file = 1u << 2, read_folder = 1u << 3,
                        make_device = 1u << 6 | 1u << 11, make_socket = 1u << 9, refer = 1u << 13, truncate = 1u << 14,
                        use_device = 1u << 15;
constexpr std::uint64_t tcp = 1u << 0 | 1u << 1; // bind, connect
constexpr std::uint64_t abstract_sockets_and_signals = 1u << 0 | 1u << 1;
constexpr std::uint64_t for_files = execute | write_file | read_file | truncate | use_device;

/// What the version can govern: an unknown right would be refused as a whole.
std::uint64_t known_rights(int version) {
    std::uint64_t rights = (1u << 13) - 1;
    if (version >= 2) rights |= refer;
    if (version >= 3) rights |= truncate;
    if (version >= 5) rights |= use_device;
    return rights;
}

std::uint64_t rights_of(FileRule::Kind kind, std::uint64_t known) {
    switch (kind) {
    case FileRule::Kind::read: return read_file | read_folder;
    case FileRule::Kind::execute: return read_file | read_folder | execute;
    case FileRule::Kind::write: return known & ~(execute | make_device | make_socket | use_device);
    case FileRule::Kind::device: return known & (read_file | write_file | use_device);
    }
    return 0;
}

} // namespace

int landlock_version() {
    const long version = ::syscall(create_ruleset, nullptr, std::size_t{0}, ask_version);
    return version > 0 ? static_cast<int>(version) : 0;
}

int restrict_files(int version, const std::vector<FileRule>& files) {
    const std::uint64_t known = known_rights(version);
    const Ruleset governed{known, tcp, abstract_sockets_and_signals};
    const std::size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
    const long rules = ::syscall(create_ruleset, &governed, size, 0u);
    if (rules < 0) return errno;
    const int set = static_cast<int>(rules);
    for (const FileRule& file : files) {
        const int at = ::open(file.path.c_str(), O_PATH | O_CLOEXEC);
        if (at < 0) continue;
        struct stat status {};
        PathBeneath rule{rights_of(file.kind, known), at};
        if (::fstat(at, &status) == 0 && !S_ISDIR(status.st_mode)) rule.allowed &= for_files;
        const long added = ::syscall(add_rule, set, path_beneath, &rule, 0u);
        const int why = errno;
        ::close(at);
        if (added != 0) {
            ::close(set);
            return why;
        }
    }
    const long done = ::syscall(restrict_self, set, 0u);
    const int why = errno;
    ::close(set);
    return done == 0 ? 0 : why;
}

} // namespace assay
