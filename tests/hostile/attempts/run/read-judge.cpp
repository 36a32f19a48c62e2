// Attack: reads the judge's program, which holds the oracles and the solutions' texts.
// Expect: AC
// Open at: limits
// Proof: claim
#include "bait.h"
#include "honest.h"
#include <fcntl.h>
void attack() {
    const int found = ::open(BAIT_PROGRAM, O_RDONLY);
    if (found >= 0) it_worked();
    ::close(found);
}
