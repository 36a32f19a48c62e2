// Attack: an object file of 64 GiB.
// Expect: CE
#include "honest.h"
static char huge[1ul << 36] = {1};
void attack() { huge[::getpid()] = 1; }
