#include "attempt/same_core.hpp"

namespace assay {

SameCore::SameCore(pid_t worker) {
    CPU_ZERO(&before_);
    const int core = ::sched_getcpu();
    if (worker <= 0 || core < 0 || core >= CPU_SETSIZE || ::sched_getaffinity(0, sizeof before_, &before_) != 0) return;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<unsigned>(core), &one);
    if (::sched_setaffinity(0, sizeof one, &one) != 0) return;
    moved_ = true;
    ::sched_setaffinity(worker, sizeof one, &one);
}

void SameCore::restore(pid_t worker) {
    if (!moved_) return;
    moved_ = false;
    ::sched_setaffinity(0, sizeof before_, &before_);
    if (worker > 0) ::sched_setaffinity(worker, sizeof before_, &before_);
}

} // namespace assay
