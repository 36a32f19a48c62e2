// Attack: fills 3 GiB of shared memory, which a limit on a process's data does not count.
// Expect: MLE
// CPU seconds: 4
#include "honest.h"
#include <string.h>
#include <sys/mman.h>
void attack() {
    for (int i = 0; i < 48; ++i) {
        void* piece = ::mmap(nullptr, 64 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (piece == MAP_FAILED) return;
        memset(piece, 1, 64 << 20);
    }
    it_worked();
}
