// Attack: becomes root again, by itself and by a program that may.
// Expect: AC
// Proof: claim
#include "honest.h"
#include <sys/wait.h>
void attack() {
    static bool begun = false;
    if (begun) return;
    begun = true;
    if (::setuid(0) == 0 || ::setresuid(0, 0, 0) == 0) it_worked();
    const pid_t child = ::fork();
    if (child == 0) {
        ::execl("/bin/su", "su", "-c", "echo it-worked", nullptr);
        ::_exit(1);
    }
    if (child > 0) ::waitpid(child, nullptr, 0);
}
