// Attack: makes name spaces of its own, in which it is root.
// Expect: SV
// Expect at limits: AC
// Open at: limits
// Proof: claim
#include "honest.h"
#include <sched.h>
#include <sys/syscall.h>
void attack() {
    if (::unshare(CLONE_NEWUSER) == 0) it_worked();
    const long child = ::syscall(SYS_clone, CLONE_NEWUSER | CLONE_NEWPID | 17, nullptr, nullptr, nullptr, 0);
    if (child == 0) ::_exit(0);
    if (child > 0) it_worked();
}
