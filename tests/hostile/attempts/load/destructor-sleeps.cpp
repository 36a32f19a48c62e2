// Attack: sleeps for ever when it is unloaded.
// Expect: AC
#include "honest.h"
[[gnu::destructor]] static void late() {
    for (;;) ::pause();
}
void attack() {}
