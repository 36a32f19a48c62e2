// Attack: leaves a file in shared memory for the attempt that comes next.
// Expect: AC
// Open at: limits
// Proof: memory
// Then: look-for-leftovers
#include "honest.h"
#include <fcntl.h>
#include <sys/mman.h>
void attack() {
    const int kept = ::open("/dev/shm/hostile-left-shm", O_RDWR | O_CREAT, 0666);
    if (kept >= 0) (void)!::write(kept, "answers", 7);
    ::close(kept);
}
