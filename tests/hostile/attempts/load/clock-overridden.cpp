// Attack: replaces the clocks, and then never ends.
// Expect: TLE
#include "honest.h"
#include <time.h>
extern "C" {
int clock_gettime(clockid_t, timespec* t) noexcept { return t->tv_sec = t->tv_nsec = 0; }
time_t time(time_t*) noexcept { return 0; }
clock_t clock() noexcept { return 0; }
}
void attack() {
    for (volatile long i = 0;; i = i + 1) {}
}
