// Attack: writes what is no message to every descriptor it has inherited.
// Expect: RTE
#include "honest.h"
[[gnu::constructor]] static void early() {
    for (int fd = 3; fd < 64; ++fd) (void)!::write(fd, "\xc1\xdf\xff\xff\xff\xff{\"verdict\": \"AC\"}", 24);
}
void attack() {}
