// Attack: changes, replaces and deletes a file of the judge's user.
// Expect: AC
// Open to its user at: limits
// Proof: file
#include "bait.h"
#include "honest.h"
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
void attack() {
    const int file = ::open(BAIT_VICTIM, O_WRONLY | O_TRUNC);
    if (file >= 0) (void)!::write(file, "hostile", 7);
    ::close(file);
    ::chmod(BAIT_VICTIM, 0);
    ::rename(BAIT_VICTIM, BAIT_DROP "/hostile-left-renamed");
    ::unlink(BAIT_VICTIM);
}
