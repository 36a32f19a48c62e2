// Attack: opens the whole of the memory that it shares with the judge, and fills it with ones.
// Expect: WA
#include "honest.h"
#include <string.h>
#include <sys/mman.h>
void attack() {
    void* arena = ::mmap(nullptr, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED, 4, 0);
    if (arena != MAP_FAILED) memset(arena, 0xff, 1 << 20);
}
