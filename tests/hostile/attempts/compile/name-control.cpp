// Attack: a file name with a terminal command in it.
// Expect: unusable
// Name: <ESC>]0;me<BEL>.cpp
// Proof: escape
#include "honest.h"
void attack() {}
