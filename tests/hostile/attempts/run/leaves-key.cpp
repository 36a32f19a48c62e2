// Attack: leaves a key in the kernel's key ring for the attempt that comes next.
// Expect: SV
// Expect at limits: AC
// Open at: limits
// Proof: claim
#include "honest.h"
#include <sys/syscall.h>
void attack() {
    const char text[] = "answers";
    // user key, in the keyring of the user: -4
    if (::syscall(SYS_add_key, "user", "hostile-left", text, sizeof text, -4) >= 0) it_worked();
}
