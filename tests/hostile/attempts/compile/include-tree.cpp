// Attack: includes itself twice, to a depth that would take 2^200 openings.
// Expect: CE
// Slow: the compiler's time is used up
#ifndef ONCE
#define ONCE
#include "honest.h"
void attack() {}
#endif
#include __FILE__
#include __FILE__
