// Attack: puts terminal commands (a window title, a clearing of the screen) into the compiler's diagnostics.
// Expect: CE
// Proof: escape
#include "honest.h"
void attack() {}
#error <ESC>]0;it-was-me<BEL><ESC>[2J<ESC>[H level 1 passed
