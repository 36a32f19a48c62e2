// Attack: closes every descriptor while it is loaded, and goes on.
// Expect: RTE
#include "honest.h"
[[gnu::constructor]] static void early() {
    for (int fd = 0; fd < 64; ++fd) ::close(fd);
    for (;;) ::pause();
}
void attack() {}
