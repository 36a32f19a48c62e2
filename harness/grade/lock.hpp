// One grading at a time in one folder.
#ifndef ASSAY_GRADE_LOCK_HPP
#define ASSAY_GRADE_LOCK_HPP

#include "core/outcome.hpp"

#include <filesystem>

namespace assay {

/// Held while it lives, and no longer than its process does. A file system that knows no locks holds nobody off.
class GradingLock {
  public:
    /// Failure (SKIP): the folder cannot be written to, or another grading holds it.
    static Outcome<GradingLock> take(const std::filesystem::path& folder);
    GradingLock(GradingLock&& other) noexcept;
    GradingLock& operator=(GradingLock&& other) noexcept;
    GradingLock(const GradingLock&) = delete;
    GradingLock& operator=(const GradingLock&) = delete;
    ~GradingLock();

  private:
    explicit GradingLock(int file) : file_(file) {}
    int file_ = -1;
};

} // namespace assay

#endif
