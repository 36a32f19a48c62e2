// Attack: lacks the function, and defines others whose names hold terminal commands and line ends.
// Expect: CE
// Proof: escape
#include "contract.hpp"
extern "C" void odd() asm("attention\n_ZN4sdpa9attentionEv T 0 0\n\x1b]0;me\a");
void odd() {}
extern "C" void attention() {}
