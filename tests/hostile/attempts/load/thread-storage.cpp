// Attack: asks for 64 GiB of each thread's own memory by being loaded.
// Expect: RTE
#include "honest.h"
thread_local char huge[1ul << 36];
void attack() { huge[0] = 1; }
