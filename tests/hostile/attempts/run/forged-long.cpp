// Attack: answers with more than a message may hold.
// Expect: RTE
#include "honest.h"
#include <sys/socket.h>
void attack() {
    static char big[100000];
    ::send(3, big, sizeof big, 0);
    for (;;) ::pause();
}
