// Attack: asks for an executable stack by a note in its object.
// Expect: AC
#include "honest.h"
asm(".section .note.GNU-stack,\"x\",@progbits\n.text\n");
void attack() {}
