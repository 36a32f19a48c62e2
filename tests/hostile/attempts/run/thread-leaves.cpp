// Attack: ends the main thread alone, so that the process lives on without it.
// Expect: RTE
#include "honest.h"
#include <pthread.h>
void attack() { ::pthread_exit(nullptr); }
