// Attack: spells the # of an include as %:, so that a scan for directives overlooks it.
// Expect: CE
#include "honest.h"
%:include "/etc/passwd"
void attack() {}
