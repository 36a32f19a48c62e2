// Attack: has the assembler put another's file into the attempt, and prints it.
// Expect: CE
// Expect at limits: AC
// Open at: limits
// Proof: secret
#include "bait.h"
#include "honest.h"
asm(".data\nstolen: .incbin \"" BAIT_PUBLIC "\"\nstolen_end: .byte 0\n.globl stolen\n.hidden stolen\n.text\n");
extern "C" const char stolen[];
void attack() { (void)!::write(1, stolen, 64); }
