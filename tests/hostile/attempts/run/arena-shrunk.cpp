// Attack: shrinks, punches holes into and closes the memory that it shares with the judge, which would crash a reader.
// Expect: OLE
#include "honest.h"
#include <fcntl.h>
void attack() {
    if (::ftruncate(4, 0) == 0) it_worked();
    if (::ftruncate(4, 1l << 40) == 0) it_worked();
    ::fallocate(4, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 1 << 20);
}
