// Attack: kills its whole process group.
// Expect: AC
// Expect at limits: RTE
// Proof: judge
#include "honest.h"
#include <signal.h>
void attack() { ::kill(0, SIGKILL); }
