// Attack: asks the preprocessor which files the machine has.
// Expect: AC
// Expect at filtered: CE
// Open at: limits, filtered
// Proof: claim
#include "bait.h"
#include "honest.h"
#if __has_include(BAIT_PUBLIC)
void attack() { it_worked(); }
#else
void attack() {}
#endif
