// Attack: says in the worker's name that it did not understand the judge, so that the judge takes the blame.
// Expect: RTE
#include "honest.h"
#include <sys/socket.h>
void attack() {
    ::send(3, "\xd3\0\0\0\0\0\0\0\3\xa0\xa0", 11, 0);
    for (;;) ::pause();
}
