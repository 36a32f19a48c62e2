// Attack: catches its own crash and crashes again in the handler, for ever.
// Expect: TLE
#include "honest.h"
#include <signal.h>
static void again(int) {}
void attack() {
    ::signal(SIGSEGV, again);
    *reinterpret_cast<volatile int*>(16) = 1;
}
