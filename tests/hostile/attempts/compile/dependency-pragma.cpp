// Attack: a pragma that compares dates with another's file, which tells that it is there.
// Expect: AC
#include "bait.h"
#include "honest.h"
#pragma GCC dependency BAIT_PUBLIC
void attack() {}
