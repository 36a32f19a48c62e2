// Attack: kills a process of the judge's user that has nothing to do with it.
// Expect: AC
// Open to its user at: limits
// Proof: victim
#include "bait.h"
#include "honest.h"
#include <signal.h>
void attack() {
    if (::getuid() == 0) return; // never as the one who owns the machine
    ::kill(BAIT_BYSTANDER, SIGKILL);
}
