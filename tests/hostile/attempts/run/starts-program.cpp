// Attack: starts another program of the machine.
// Expect: AC
// Open at: limits
// Proof: claim
#include "honest.h"
#include <sys/wait.h>
void attack() {
    static bool begun = false;
    if (begun) return;
    begun = true;
    const pid_t child = ::fork();
    if (child == 0) {
        ::execl("/bin/sh", "sh", "-c", "echo it-worked", nullptr);
        ::_exit(1);
    }
    if (child > 0) ::waitpid(child, nullptr, 0);
}
