// Attack: includes a file that only the judge's user may read.
// Expect: CE
// Open to its user at: limits
// Proof: secret
#include "bait.h"
#include "honest.h"
#include BAIT_PRIVATE
void attack() {}
