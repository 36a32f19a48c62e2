// Attack: exits, and answers "done" from a handler of the exit.
// Expect: RTE
#include "honest.h"
#include <stdlib.h>
#include <sys/socket.h>
static void late() {
    const unsigned char done[] = {0xd3, 0, 0, 0, 0, 0, 0, 0, 0, 0xa0, 0xa0};
    ::send(3, done, sizeof done, 0);
}
void attack() {
    ::atexit(late);
    ::exit(0);
}
