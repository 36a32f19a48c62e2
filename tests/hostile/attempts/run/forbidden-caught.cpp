// Attack: catches the signal by which a filter ends a process.
// Expect: SV
// Expect at limits: AC
// Proof: claim
#include "honest.h"
#include <signal.h>
#include <sys/ptrace.h>
static void caught(int) { it_worked(); }
void attack() {
    ::signal(SIGSYS, caught);
    ::ptrace(PTRACE_PEEKUSER, 1, nullptr, nullptr);
}
