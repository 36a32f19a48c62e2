// Attack: leaves a word far out in the memory that it shares with the judge, ends, and looks for it in its next life.
// Expect: RTE
// Proof: claim
#include "honest.h"
#include <sys/mman.h>
void attack() {
    void* far = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, 4, 768l << 20);
    if (far == MAP_FAILED) return;
    volatile int* word = static_cast<volatile int*>(far);
    if (*word == 0x0badcafe) it_worked();
    *word = 0x0badcafe;
    ::_exit(0);
}
