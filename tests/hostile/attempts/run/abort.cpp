// Attack: aborts.
// Expect: RTE
#include "honest.h"
#include <stdlib.h>
void attack() { ::abort(); }
