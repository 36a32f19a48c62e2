// Attack: writes its own account of a crash, with a length that would send the judge's reader astray, and dies.
// Expect: RTE
// Proof: escape
#include "honest.h"
#include <stdio.h>
#include <sys/mman.h>
void attack() {
    void* page = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, 4, 0);
    if (page == MAP_FAILED) return;
    for (int i = 0; i < 1024; ++i) static_cast<volatile int*>(page)[i] = 0x7fffffff;
    static_cast<volatile int*>(page)[0] = 11;
    ::fputs("==1==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x1\n    #0 0x1 in \x1b]0;me\a "
            "/etc/passwd:1\nSUMMARY: AddressSanitizer: it was the judge\n",
            stderr);
    ::_exit(99);
}
