// Attack: never ends being loaded.
// Expect: TLE
#include "honest.h"
[[gnu::constructor]] static void early() {
    for (;;) ::pause();
}
void attack() {}
