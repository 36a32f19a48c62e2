// Attack: has a child make the call that ends a process, and goes on itself.
// Expect: AC
// Proof: claim
#include "honest.h"
#include <sys/mount.h>
#include <sys/wait.h>
void attack() {
    static bool begun = false;
    if (begun) return;
    begun = true;
    const pid_t child = ::fork();
    if (child == 0) ::_exit(::mount("none", "/mnt", "tmpfs", 0, nullptr) == 0 ? 7 : 0);
    int status = 0;
    if (child > 0) ::waitpid(child, &status, 0);
    if (child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 7) {
        it_worked();
        ::umount("/mnt");
    }
}
