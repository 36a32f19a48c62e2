// Attack: a pragma that compares dates with a file of the machine, which tells that it is there.
// Expect: CE
// Expect at limits: AC
// Open at: limits
#include "honest.h"
#pragma GCC dependency "/etc/passwd"
void attack() {}
