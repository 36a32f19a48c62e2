// Attack: asks for 64 GiB of zeros by being loaded.
// Expect: RTE
#include "honest.h"
volatile char huge[1ul << 36];
void attack() { huge[::getpid()] = 1; }
