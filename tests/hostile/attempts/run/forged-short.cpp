// Attack: answers with less than a message.
// Expect: RTE
#include "honest.h"
#include <sys/socket.h>
void attack() { ::send(3, "\xd3\0\0", 3, 0); }
