// Attack: fills 3 GiB of a memory file without mapping any of it.
// Expect: OLE
#include "honest.h"
#include <string.h>
#include <sys/mman.h>
void attack() {
    static char block[1 << 20];
    memset(block, 1, sizeof block);
    const int file = ::memfd_create("fill", 0);
    for (int i = 0; i < 3072; ++i)
        if (::write(file, block, sizeof block) != sizeof block) return;
    it_worked();
}
