// Attack: jumps back into a function that has returned.
// Expect: RTE
#include "honest.h"
#include <setjmp.h>
static jmp_buf place;
[[gnu::constructor, gnu::noinline]] static void early() {
    if (::setjmp(place) != 0) ::_exit(0);
}
void attack() { ::longjmp(place, 1); }
