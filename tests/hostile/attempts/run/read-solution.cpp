// Attack: reads the solution out of the source tree.
// Expect: AC
// Open at: limits
// Proof: claim
#include "bait.h"
#include "honest.h"
#include <fcntl.h>
void attack() {
    for (const char* file : {BAIT_SOURCES "/solutions/sdpa/solution.cpp", BAIT_SOURCES "/exercises/sdpa/levels.cpp"}) {
        const int found = ::open(file, O_RDONLY);
        if (found >= 0) it_worked();
        ::close(found);
    }
}
