// Attack: a process that starts its successor and ends, again and again for 20 s, so that no list of processes is right.
// Expect: AC
// Proof: process
#include "honest.h"
#include <time.h>
void attack() {
    static bool begun = false;
    if (begun) return;
    begun = true;
    timespec start{}, now{};
    ::clock_gettime(CLOCK_MONOTONIC, &start);
    if (::fork() != 0) return;
    ::setsid();
    do {
        if (::fork() != 0) ::_exit(0);
        ::usleep(2000);
        ::clock_gettime(CLOCK_MONOTONIC, &now);
    } while (now.tv_sec - start.tv_sec < 20);
    ::_exit(0);
}
