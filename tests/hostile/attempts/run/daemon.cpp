// Attack: leaves a process behind that has its own session and no parent.
// Expect: AC
// Proof: process
#include "honest.h"
#include <sys/wait.h>
void attack() {
    static bool begun = false;
    if (begun) return;
    begun = true;
    const pid_t first = ::fork();
    if (first == 0) {
        ::setsid();
        if (::fork() == 0)
            for (int fd = 0; fd < 64; ++fd) ::close(fd);
        else
            ::_exit(0);
        ::sleep(600);
        ::_exit(0);
    }
    if (first > 0) ::waitpid(first, nullptr, 0);
}
