// Attack: keeps its orphans for itself, and dies: nobody else knows of them.
// Expect: SV
// Expect at limits: RTE
// Proof: process
#include "honest.h"
#include <sys/prctl.h>
void attack() {
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    if (::fork() == 0) {
        ::setsid();
        if (::fork() == 0) ::sleep(600);
        ::_exit(0);
    }
    ::usleep(20000);
    ::_exit(0);
}
