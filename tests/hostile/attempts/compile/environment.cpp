// Attack: includes the compiler's own environment.
// Expect: CE
// Proof: secret
#include "honest.h"
#define ENVIRONMENT "/proc/self/environ"
#include ENVIRONMENT
void attack() {}
