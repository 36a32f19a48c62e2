// Attack: includes the environment of the process that is its own user's first parent.
// Expect: CE
// Proof: secret
#include "bait.h"
#include "honest.h"
#include BAIT_JUDGE_ENVIRONMENT
void attack() {}
