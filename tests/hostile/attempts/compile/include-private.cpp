// Attack: includes a file that only the judge's user may read.
// Expect: CE
// Proof: secret
#include "bait.h"
#include "honest.h"
#include BAIT_PRIVATE
void attack() {}
