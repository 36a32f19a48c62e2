// The most memory that an attempt's process held of its own: what the kernel noted, never what a sample happened to
// see.
#ifndef ASSAY_ATTEMPT_PEAK_MEMORY_HPP
#define ASSAY_ATTEMPT_PEAK_MEMORY_HPP

#include "core/outcome.hpp"

#include <cstdint>
#include <sys/types.h>

namespace assay {

/// From VmHWM, the kernel's high-water mark of a process's resident pages (proc(5)), which clear_refs sets back to what
/// is resident now. It counts three kinds of pages, and two of them are not the attempt's own:
///   - the arena's, mapped when first touched. They have to be mapped before the measured call (by the same call before
///     it) and are then taken off, up to as many as hold tensors, so that other shared memory counts.
///   - those of files (code, libraries). They hold nothing that was computed, and are taken off, up to 16 MiB more than
///     after loading, so that mapping files again and again hides nothing.
/// What an earlier call has left allocated counts: it is held during this one. The kernel counts in batches a thread:
/// the figure may be off by some 256 KiB a processor that took part.
class PeakMemory {
  public:
    /// `pid`: a process that has loaded the attempt and not called it yet.
    explicit PeakMemory(pid_t pid);

    /// From here on. Failure (SKIP): the system does not allow it.
    Outcome<Done> reset() const;

    /// Bytes of its own that were resident at once since reset(), at most, above those after loading; >= 0.
    /// `arena`: bytes of the arena's pages that may be mapped.
    Outcome<std::int64_t> peak(std::int64_t arena) const;

  private:
    pid_t pid_;
    bool known_ = false;               // what follows
    std::int64_t own_ = 0, files_ = 0; // after loading
};

} // namespace assay

#endif
