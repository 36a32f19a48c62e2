// Attack: leaves a System V segment, a queue and a semaphore for the attempt that comes next.
// Expect: AC
// Open at: limits
// Proof: memory
// Then: look-for-leftovers
#include "honest.h"
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
void attack() {
    ::shmget(0x0badcafe, 4096, IPC_CREAT | 0666);
    ::msgget(0x0badcafe, IPC_CREAT | 0666);
    ::semget(0x0badcafe, 1, IPC_CREAT | 0666);
}
