// Attack: sends itself SIGKILL.
// Expect: RTE
#include "honest.h"
#include <signal.h>
void attack() { ::kill(::getpid(), SIGKILL); }
