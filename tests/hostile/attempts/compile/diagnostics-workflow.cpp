// Attack: a diagnostic that a CI system would take for a command of its own.
// Expect: CE
#include "honest.h"
void attack() {}
#line 1 "\n::set-output name=verdict::AC\n::error file=x"
#error "::stop-commands::x"
