// Attack: loads a program into the kernel.
// Expect: SV
// Expect at limits: AC
// Proof: claim
#include "honest.h"
#include <sys/syscall.h>
void attack() {
    char attributes[128] = {1, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 1};
    if (::syscall(SYS_bpf, 0, attributes, sizeof attributes) >= 0) it_worked();
}
