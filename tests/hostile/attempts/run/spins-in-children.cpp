// Attack: burns CPU time in children that nobody waits for, so that its own stays small.
// Expect: TLE
// Proof: process
#include "honest.h"
void attack() {
    for (int i = 0; i < 4; ++i)
        if (::fork() == 0)
            for (volatile long spin = 0; spin < 40'000'000'000; spin = spin + 1) {}
    ::sleep(1000);
}
