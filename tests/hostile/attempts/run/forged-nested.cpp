// Attack: answers with lists in lists in lists, by which a decoder would run out of stack.
// Expect: RTE
#include "honest.h"
#include <string.h>
#include <sys/socket.h>
void attack() {
    static char deep[60000];
    memset(deep, '\x91', sizeof deep);
    ::send(3, deep, sizeof deep, 0);
    for (;;) ::pause();
}
