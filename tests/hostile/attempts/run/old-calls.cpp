// Attack: makes system calls by the 32-bit door, which a filter of the 64-bit ones does not see.
// Expect: SV
// Expect at limits: AC
// Open at: limits
// Proof: claim
#include "honest.h"
void attack() {
#if defined(__x86_64__)
    long result = 20; // getpid, by its 32-bit number
    asm volatile("int $0x80" : "+a"(result) : : "memory", "r8", "r9", "r10", "r11");
    if (result > 0) it_worked();
#endif
}
