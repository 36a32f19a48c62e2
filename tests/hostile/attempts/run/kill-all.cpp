// Attack: kills every process that it may.
// Expect: AC
// Open to its user at: limits
// Proof: victim
// Needs: another user or a filter
#include "honest.h"
#include <signal.h>
void attack() {
    if (::getuid() == 0) return; // never as the one who owns the machine
    ::kill(-1, SIGKILL);
}
