// Attack: opens the memory of every process above it.
// Expect: AC
// Proof: claim
#include "bait.h"
#include "honest.h"
#include <fcntl.h>
#include <stdio.h>
static void open_memory(int pid) {
    char path[64];
    ::snprintf(path, sizeof path, "/proc/%d/mem", pid);
    const int memory = ::open(path, O_RDWR);
    if (memory < 0) return;
    it_worked();
    ::close(memory);
}
void attack() {
    open_memory(::getppid());
    open_memory(BAIT_JUDGE);
}
