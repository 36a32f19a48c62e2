// Attack: calls exit(0) in place of an answer.
// Expect: RTE
#include "honest.h"
#include <stdlib.h>
void attack() { ::exit(0); }
