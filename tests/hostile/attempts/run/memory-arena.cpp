// Attack: fills the whole memory that it shares with the judge.
// Expect: AC
#include "honest.h"
#include <sys/mman.h>
void attack() {
    static bool begun = false;
    if (begun) return;
    begun = true;
    const unsigned long from = 512ul << 20, size = 512ul << 20;
    void* arena = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, 4, static_cast<off_t>(from));
    if (arena == MAP_FAILED) return;
    for (unsigned long at = 0; at < size; at += 4096) static_cast<volatile char*>(arena)[at] = 1;
}
