// Attack: gives itself the highest priority, so that nothing else runs.
// Expect: AC
// Proof: claim
#include "honest.h"
#include <sched.h>
#include <sys/resource.h>
void attack() {
    const sched_param first{99};
    if (::sched_setscheduler(0, SCHED_FIFO, &first) == 0) it_worked();
    if (::setpriority(PRIO_PROCESS, 0, -20) == 0) it_worked();
}
