// Attack: ends successfully before the judge has asked anything.
// Expect: RTE
#include "honest.h"
#include <stdlib.h>
static struct Early {
    Early() { ::exit(0); }
} early;
void attack() {}
