// Attack: attaches to the judge as a debugger would.
// Expect: SV
// Expect at limits: AC
// Proof: claim
#include "bait.h"
#include "honest.h"
#include <sys/ptrace.h>
void attack() {
    for (const pid_t pid : {::getppid(), static_cast<pid_t>(BAIT_JUDGE)})
        if (::ptrace(PTRACE_SEIZE, pid, nullptr, nullptr) == 0) it_worked();
}
