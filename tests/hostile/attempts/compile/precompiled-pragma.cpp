// Attack: has the compiler load a precompiled header of its choice, which is a memory image.
// Expect: CE
// Proof: secret
#include "honest.h"
#pragma GCC pch_preprocess "/etc/passwd"
void attack() {}
