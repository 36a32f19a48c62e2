// Attack: recurses for ever.
// Expect: RTE
#include "honest.h"
static int deeper(volatile int* at) {
    volatile int here[256] = {*at};
    return deeper(here) + here[0];
}
void attack() {
    volatile int start = 0;
    if (deeper(&start) == 1) it_worked();
}
