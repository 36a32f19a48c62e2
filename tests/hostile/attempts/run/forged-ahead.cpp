// Attack: answers ten calls ahead, so that judge and worker talk of different calls.
// Expect: WA
#include "honest.h"
#include <sys/socket.h>
void attack() {
    for (int i = 0; i < 10; ++i) ::send(3, "\xd3\0\0\0\0\0\0\0\0\xa0\xa0", 11, 0);
}
