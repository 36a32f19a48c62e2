// Attack: says in the worker's name that the function is not there, so that the verdict is another.
// Expect: RTE
#include "honest.h"
#include <sys/socket.h>
void attack() {
    ::send(3, "\xd3\0\0\0\0\0\0\0\4\xa0\xa0", 11, 0);
    for (;;) ::pause();
}
