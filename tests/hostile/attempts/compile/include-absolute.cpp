// Attack: includes a file of the machine by its path, so that the compiler quotes it.
// Expect: CE
#include "honest.h"
#include "/etc/passwd"
void attack() {}
