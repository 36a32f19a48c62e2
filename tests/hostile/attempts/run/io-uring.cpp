// Attack: sets up a ring by which system calls can be made past a filter.
// Expect: SV
// Expect at limits: AC
// Open at: limits
// Proof: claim
#include "honest.h"
#include <sys/syscall.h>
void attack() {
    char parameters[256] = {};
    if (::syscall(425 /* io_uring_setup */, 4, parameters) >= 0) it_worked();
}
