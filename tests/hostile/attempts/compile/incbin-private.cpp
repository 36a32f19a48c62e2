// Attack: has the assembler put the judge's user's file into the attempt.
// Expect: CE
// Expect at limits: CE AC
// Open to its user at: limits
// Proof: secret
#include "bait.h"
#include "honest.h"
asm(".data\nstolen: .incbin \"" BAIT_PRIVATE "\"\nstolen_end: .byte 0\n.globl stolen\n.hidden stolen\n.text\n");
extern "C" const char stolen[];
void attack() { (void)!::write(1, stolen, 64); }
