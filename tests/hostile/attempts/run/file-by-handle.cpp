// Attack: opens files by their handles, past every name that is hidden.
// Expect: SV
// Expect at limits: AC
// Proof: claim
#include "honest.h"
#include <fcntl.h>
#include <sys/syscall.h>
void attack() {
    struct {
        unsigned bytes = 8;
        int type = 1;
        unsigned long inode = 2;
    } root;
    const int here = ::open("/", O_RDONLY);
    if (::syscall(SYS_open_by_handle_at, here, &root, O_RDONLY) >= 0) it_worked();
    ::close(here);
}
