// Attack: makes files where everybody may make files, and changes one of another's.
// Expect: AC
// Open at: limits
// Proof: file
#include "bait.h"
#include "honest.h"
#include <fcntl.h>
static void put(const char* path) {
    const int file = ::open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (file >= 0) (void)!::write(file, "hostile", 7);
    ::close(file);
}
void attack() {
    put(BAIT_DROP "/hostile-left");
    put("/tmp/hostile-left-file");
    put("/var/tmp/hostile-left-file");
}
