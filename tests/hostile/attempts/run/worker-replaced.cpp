// Attack: replaces the worker's program, for the attempts that come after.
// Expect: AC
// Open to its user at: limits
// Proof: claim
#include "honest.h"
#include <fcntl.h>
#include <stdio.h>
void attack() {
    char program[4096] = {};
    if (::readlink("/proc/self/exe", program, sizeof program - 1) <= 0) return;
    if (::open("/proc/self/exe", O_WRONLY) >= 0 || ::open(program, O_WRONLY) >= 0) it_worked();
    char aside[4200];
    ::snprintf(aside, sizeof aside, "%s.hostile-left", program);
    if (::rename(program, aside) == 0) {
        it_worked();
        ::rename(aside, program);
    }
}
