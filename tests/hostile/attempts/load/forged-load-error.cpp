// Attack: says that it could not be loaded, in words that command a terminal.
// Expect: RTE
// Proof: escape
#include "honest.h"
#include <sys/socket.h>
[[gnu::constructor]] static void early() {
    const char hello[] = "\xd3\0\0\0\0\0\0\0\2\xd3\xff\xff\xff\xff\xff\xff\xff\xff\xb4\x1b]0;me\a\x1b[2J\npassed!";
    ::send(3, hello, sizeof hello - 1, 0);
    for (;;) ::pause();
}
void attack() {}
