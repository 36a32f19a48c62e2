// Attack: has the compiler show a line of the judge's user's file beside an error.
// Expect: CE
// Open to its user at: limits
// Proof: secret
#include "bait.h"
#include "honest.h"
void attack() {}
#line 1 BAIT_PRIVATE
int shown = undeclared_name;
