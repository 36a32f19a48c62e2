// Attack: includes another's file through a macro, which no scan of the directives sees.
// Expect: CE
// Open at: limits
// Proof: secret
#include "bait.h"
#include "honest.h"
#include BAIT_PUBLIC
void attack() {}
