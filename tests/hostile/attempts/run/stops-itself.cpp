// Attack: stops itself, so that it neither runs nor ends.
// Expect: TLE
#include "honest.h"
#include <signal.h>
void attack() { ::raise(SIGSTOP); }
