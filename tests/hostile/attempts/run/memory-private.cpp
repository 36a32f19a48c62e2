// Attack: fills 3 GiB of its own memory.
// Expect: MLE
// CPU seconds: 4
#include "honest.h"
#include <string.h>
void attack() {
    for (int i = 0; i < 48; ++i) memset(::operator new(64 << 20), 1, 64 << 20);
    it_worked();
}
