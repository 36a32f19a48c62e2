// Attack: looks for descriptors beyond the five that it needs.
// Expect: AC
// Proof: claim
#include "honest.h"
#include <fcntl.h>
void attack() {
    for (int fd = 5; fd < 4096; ++fd)
        if (::fcntl(fd, F_GETFD) >= 0) it_worked();
}
