// Attack: reads and writes the judge's memory by process_vm_readv and process_vm_writev.
// Expect: SV
// Expect at limits: AC
// Proof: claim
#include "bait.h"
#include "honest.h"
#include <sys/uio.h>
void attack() {
    char byte = 0;
    iovec ours{&byte, 1}, theirs{reinterpret_cast<void*>(BAIT_JUDGE_ADDRESS), 1};
    for (const pid_t pid : {::getppid(), static_cast<pid_t>(BAIT_JUDGE)})
        if (::process_vm_readv(pid, &ours, 1, &theirs, 1, 0) == 1) it_worked();
}
