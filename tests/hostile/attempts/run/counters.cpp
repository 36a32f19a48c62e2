// Attack: opens the processor's counters, by which others can be watched.
// Expect: SV
// Expect at limits: AC
// Proof: claim
#include "honest.h"
#include <sys/syscall.h>
void attack() {
    char attributes[128] = {};
    attributes[4] = 120;
    if (::syscall(SYS_perf_event_open, attributes, 0, -1, -1, 0) >= 0) it_worked();
}
