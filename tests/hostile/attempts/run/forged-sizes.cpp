// Attack: answers with a text that says it is 4 GB long.
// Expect: RTE
#include "honest.h"
#include <sys/socket.h>
void attack() {
    ::send(3, "\xd3\0\0\0\0\0\0\0\0\xdb\xff\xff\xff\xffx", 15, 0);
    for (;;) ::pause();
}
