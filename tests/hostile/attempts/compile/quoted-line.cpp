// Attack: says that its own lines stand in another's file, so that the compiler shows that file's line beside an error.
// Expect: CE
// Open at: limits
// Proof: secret
#include "bait.h"
#include "honest.h"
void attack() {}
#line 1 BAIT_PUBLIC
int shown = undeclared_name;
