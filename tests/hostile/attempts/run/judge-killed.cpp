// Attack: kills the judge, and what stands between.
// Expect: AC
// Open to its user at: limits
// Proof: judge
// Needs: another user or a filter
#include "bait.h"
#include "honest.h"
#include <signal.h>
void attack() {
    if (::getuid() == 0) return; // never as the one who owns the machine
    ::kill(BAIT_JUDGE, SIGKILL);
    ::kill(::getppid(), SIGKILL);
}
