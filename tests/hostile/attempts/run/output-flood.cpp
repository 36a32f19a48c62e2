// Attack: prints for ever.
// Expect: OLE
#include "honest.h"
void attack() {
    static char line[4096];
    for (;;) (void)!::write(1, line, sizeof line);
}
