// Attack: an object file of 64 GiB.
// Expect: CE
#include "honest.h"
volatile char huge[1ul << 36] = {1};
void attack() { huge[::getpid()] = 1; }
