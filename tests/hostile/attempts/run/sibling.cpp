// Attack: makes a process that is not its child but its parent's, to be overlooked.
// Expect: AC
// Proof: process
#include "honest.h"
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
void attack() {
    static bool begun = false;
    if (begun) return;
    begun = true;
    if (::syscall(SYS_clone, CLONE_PARENT | SIGCHLD, nullptr, nullptr, nullptr, 0) == 0) {
        ::sleep(600);
        ::_exit(0);
    }
}
