// Attack: includes a device that never ends.
// Expect: CE
// Slow: the compiler reads until its memory or time is used up
#include "honest.h"
#define ENDLESS "/dev/zero"
#include ENDLESS
void attack() {}
