// Attack: fills 3 GiB in memory files of 32 MiB, none of which is mapped, so that they are counted as nobody's.
// Expect: MLE
// Expect at limits, filtered, contained: AC TLE
// Open at: limits, filtered, contained
// CPU seconds: 4
// Proof: claim
#include "honest.h"
#include <string.h>
#include <sys/mman.h>
void attack() {
    static bool begun = false;
    if (begun) return;
    begun = true;
    static char block[1 << 20];
    memset(block, 1, sizeof block);
    for (int i = 0; i < 96; ++i) {
        const int file = ::memfd_create("fill", 0);
        for (int mib = 0; mib < 32; ++mib)
            if (::write(file, block, sizeof block) != sizeof block) return;
    }
    it_worked();
}
