#include "attempt/peak_memory.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <optional>
#include <string_view>
#include <unistd.h>

namespace assay {

namespace {

constexpr std::int64_t most_file_bytes = std::int64_t{16} << 20;

struct Resident {
    std::int64_t own = 0, files = 0, shared = 0, peak = 0; // bytes
};

/// Nothing where the process is gone, or the kernel does not tell (before Linux 4.5, or without its parts).
std::optional<Resident> resident(pid_t pid) {
    std::array<char, 8192> text{};
    const int file = ::open(fmt::format("/proc/{}/status", pid).c_str(), O_RDONLY | O_CLOEXEC);
    const ssize_t got = file >= 0 ? ::read(file, text.data(), text.size() - 1) : -1;
    if (file >= 0) ::close(file);
    if (got <= 0) return std::nullopt;
    const std::string_view status(text.data(), static_cast<std::size_t>(got));
    bool whole = true;
    const auto bytes_of = [&](std::string_view name) -> std::int64_t {
        const std::size_t at = status.find(name);
        whole = whole && at != std::string_view::npos;
        return whole ? std::strtoll(status.data() + at + name.size(), nullptr, 10) << 10 : 0;
    };
    Resident found{bytes_of("\nRssAnon:"), bytes_of("\nRssFile:"), bytes_of("\nRssShmem:"), bytes_of("\nVmHWM:")};
    return whole ? std::optional(found) : std::nullopt;
}

Failure unknown(std::string_view why) {
    return {Verdict::SKIP, fmt::format("the attempt's peak memory cannot be measured here: {}", why), {}};
}

} // namespace

PeakMemory::PeakMemory(pid_t pid) : pid_(pid) {
    const std::optional<Resident> loaded = resident(pid);
    known_ = loaded.has_value();
    if (loaded) own_ = loaded->own, files_ = loaded->files;
}

Outcome<Done> PeakMemory::reset() const {
    const int file = ::open(fmt::format("/proc/{}/clear_refs", pid_).c_str(), O_WRONLY | O_CLOEXEC);
    if (file < 0) return unknown(fmt::format("its clear_refs in /proc cannot be opened ({})", std::strerror(errno)));
    const bool written = ::write(file, "5", 1) == 1; // proc(5): VmHWM to what is resident now
    const int error = errno;
    ::close(file);
    if (!written) return unknown(fmt::format("its clear_refs in /proc takes no 5 ({})", std::strerror(error)));
    return Done{};
}

Outcome<std::int64_t> PeakMemory::peak(std::int64_t arena) const {
    const std::optional<Resident> now = resident(pid_);
    if (!now || !known_) return unknown("/proc tells nothing of its resident pages");
    const std::int64_t files = std::min(now->files, files_ + most_file_bytes);
    const std::int64_t own = now->peak - files - std::min(now->shared, arena);
    return std::max<std::int64_t>(0, own - own_);
}

} // namespace assay
