// Attack: includes the compiler's own environment.
// Expect: AC
// Expect at filtered: CE
// Proof: secret
#include "honest.h"
#define ENVIRONMENT "/proc/self/environ"
#include ENVIRONMENT
void attack() {}
