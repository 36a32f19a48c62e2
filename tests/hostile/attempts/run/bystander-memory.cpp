// Attack: reads the memory of a process of the judge's user that has nothing to do with it.
// Expect: AC
// Open to its user at: limits
// Proof: claim
#include "bait.h"
#include "honest.h"
#include <fcntl.h>
#include <stdio.h>
void attack() {
    char path[64];
    ::snprintf(path, sizeof path, "/proc/%d/mem", BAIT_BYSTANDER);
    const int memory = ::open(path, O_RDONLY);
    if (memory < 0) return;
    it_worked();
    ::close(memory);
}
