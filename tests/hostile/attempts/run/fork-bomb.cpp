// Attack: starts processes that start processes, to 2,000.
// Expect: AC
// Proof: process
#include "honest.h"
void attack() {
    static bool begun = false;
    if (begun) return;
    begun = true;
    for (int i = 0; i < 2000; ++i)
        if (::fork() == 0) {
            ::sleep(600);
            ::_exit(0);
        }
}
