// Judge and worker on one core while they talk a lot. Each waits for the other, so they lose nothing by it, and a call
// costs 7 us in place of 95 us (2 cores, Zen 4, measured by tests/bench/simulated_policy.cpp).
#ifndef ASSAY_ATTEMPT_SAME_CORE_HPP
#define ASSAY_ATTEMPT_SAME_CORE_HPP

#include <sched.h>
#include <sys/types.h>

namespace assay {

/// Keeps the calling thread and `worker` on the core that the thread is on, until `restore` (or the end of the scope:
/// the thread alone). Where the system does not allow it, nothing changes: it is a matter of speed alone.
class SameCore {
  public:
    explicit SameCore(pid_t worker);
    ~SameCore() { restore(-1); }
    SameCore(const SameCore&) = delete;
    SameCore& operator=(const SameCore&) = delete;

    /// Gives the thread, and `worker` where it still lives (else -1), the cores that the thread had.
    void restore(pid_t worker);

  private:
    cpu_set_t before_;
    bool moved_ = false;
};

} // namespace assay

#endif
