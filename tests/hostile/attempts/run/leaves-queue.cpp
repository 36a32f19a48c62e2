// Attack: leaves a POSIX message queue for the attempt that comes next.
// Expect: AC
// Open at: limits
// Proof: memory
#include "honest.h"
#include <fcntl.h>
#include <sys/syscall.h>
void attack() { ::syscall(SYS_mq_open, "hostile-left", O_CREAT | O_RDWR, 0666, nullptr); }
