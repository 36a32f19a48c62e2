// Attack: eight children that fill 400 MiB each: none alone is over the limit.
// Expect: AC
// Open at: limits
#include "honest.h"
#include <string.h>
void attack() {
    static bool begun = false;
    if (begun) return;
    begun = true;
    int ends[2];
    if (::pipe(ends) != 0) return;
    for (int i = 0; i < 8; ++i)
        if (::fork() == 0) {
            memset(::operator new(400 << 20), 1, 400 << 20);
            (void)!::write(ends[1], "x", 1);
            ::sleep(600);
            ::_exit(0);
        }
    ::close(ends[1]);
    char said;
    int full = 0;
    while (full < 8 && ::read(ends[0], &said, 1) == 1) ++full;
    if (full == 8) it_worked();
}
