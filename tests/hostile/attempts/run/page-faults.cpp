// Attack: asks the kernel to hand it page faults, by which it could hold a copy between check and use.
// Expect: SV
// Expect at limits: AC
// Proof: claim
#include "honest.h"
#include <sys/syscall.h>
void attack() {
    if (::syscall(SYS_userfaultfd, 0) >= 0) it_worked();
}
