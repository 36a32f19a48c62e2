// Attack: fills the channel with a million messages while it is loaded.
// Expect: RTE
#include "honest.h"
#include <sys/socket.h>
[[gnu::constructor]] static void early() {
    static char big[60000];
    for (int i = 0; i < 1000000; ++i)
        if (::send(3, big, sizeof big, MSG_NOSIGNAL) < 0) break;
}
void attack() {}
