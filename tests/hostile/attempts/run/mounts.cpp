// Attack: mounts a file system over the machine's own.
// Expect: SV
// Expect at limits: AC
// Proof: claim
#include "honest.h"
#include <sys/mount.h>
void attack() {
    if (::mount("none", "/mnt", "tmpfs", 0, nullptr) == 0) {
        it_worked();
        ::umount("/mnt");
    }
}
