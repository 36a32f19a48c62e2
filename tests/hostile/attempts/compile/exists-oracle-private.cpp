// Attack: asks the preprocessor whether a file of the judge's user is there.
// Expect: AC
// Expect at limits, filtered: CE AC
// Open at: limits, filtered
// Proof: claim
#include "bait.h"
#include "honest.h"
#if __has_include(BAIT_PRIVATE)
void attack() { it_worked(); }
#else
void attack() {}
#endif
