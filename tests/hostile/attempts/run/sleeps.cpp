// Attack: sleeps, which costs no CPU time.
// Expect: TLE
#include "honest.h"
void attack() { ::sleep(1000); }
