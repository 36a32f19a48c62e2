// Attack: templates that instantiate two of each other, 2^60 in all.
// Expect: CE
// Slow: the compiler's memory or time is used up
#include "honest.h"
template <unsigned long Path, int Depth> struct bomb {
    static constexpr unsigned long value = bomb<2 * Path, Depth - 1>::value + bomb<2 * Path + 1, Depth - 1>::value;
};
template <unsigned long Path> struct bomb<Path, 0> {
    static constexpr unsigned long value = Path;
};
static const unsigned long bang = bomb<1, 60>::value;
void attack() { (void)bang; }
