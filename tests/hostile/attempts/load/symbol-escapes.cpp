// Attack: lacks the function, and defines others whose names hold line ends and terminal commands.
// Expect: CE
// Proof: escape
#include "contract.hpp"
#define ODD "\"attention\\n_ZN4sdpa9attentionEPc T 0 0\\n_ZN4\\033]0;attentionEv T 0 0\""
asm(".text\n.globl " ODD "\n" ODD ":\nret\n");
extern "C" void attention() {}
