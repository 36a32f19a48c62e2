// Attack: has the assembler read another's file as assembly, so that its errors quote it.
// Expect: CE
// Open at: limits
// Proof: secret
#include "bait.h"
#include "honest.h"
asm(".include \"" BAIT_PUBLIC "\"\n");
void attack() {}
