// Attack: has the assembler repeat a line 2^40 times.
// Expect: CE
// Slow: the assembler's memory or time is used up
#include "honest.h"
asm(".rept 1048576\n.rept 1048576\n.byte 1\n.endr\n.endr\n");
void attack() {}
