// Attack: reads a file that everybody may read, and prints it.
// Expect: AC
// Open at: limits
// Proof: secret
#include "bait.h"
#include "honest.h"
#include <fcntl.h>
void attack() {
    char text[128];
    const int file = ::open(BAIT_PUBLIC, O_RDONLY);
    const ssize_t got = ::read(file, text, sizeof text);
    if (got > 0) (void)!::write(1, text, static_cast<size_t>(got));
    ::close(file);
}
