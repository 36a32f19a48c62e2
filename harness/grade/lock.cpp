#include "grade/lock.hpp"

#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>
#include <utility>

namespace assay {

Outcome<GradingLock> GradingLock::take(const std::filesystem::path& folder) {
    const int file = ::open((folder / "ledger.sqlite.lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (file < 0)
        return Failure{Verdict::SKIP,
                       fmt::format("{} cannot be written to: name another folder with --out", folder.native())};
    if (::flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        ::close(file);
        return Failure{Verdict::SKIP,
                       fmt::format("another grading is at work in {}: wait for it, or name another folder with --out",
                                   folder.native())};
    }
    return GradingLock(file);
}

GradingLock::GradingLock(GradingLock&& other) noexcept : file_(std::exchange(other.file_, -1)) {}

GradingLock& GradingLock::operator=(GradingLock&& other) noexcept {
    std::swap(file_, other.file_);
    return *this;
}

GradingLock::~GradingLock() {
    if (file_ >= 0) ::close(file_);
}

} // namespace assay
