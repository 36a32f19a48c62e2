// Attack: leaves by the system call, past every handler.
// Expect: RTE
#include "honest.h"
#include <sys/syscall.h>
void attack() { ::syscall(SYS_exit_group, 0); }
