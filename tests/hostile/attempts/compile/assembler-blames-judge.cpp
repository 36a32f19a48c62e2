// Attack: has the assembler print what a full disk would say, then stop, so that the judge takes the blame.
// Expect: CE
#include "honest.h"
asm(".print \"as: No space left on device\"\n.print \"g++: fatal error: cannot execute 'cc1plus'\"\n.abort\n");
void attack() {}
