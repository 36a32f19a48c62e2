// Attack: answers with an empty message, which looks like the channel's end.
// Expect: RTE
#include "honest.h"
#include <sys/socket.h>
void attack() { ::send(3, "", 0, 0); }
