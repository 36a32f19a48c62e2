// Attack: constant expressions that each run as long as the compiler lets one run.
// Expect: CE
// Slow: the compiler's time is used up
#include "honest.h"
template <int N> constexpr int spin() {
    unsigned value = N;
    for (int i = 0; i < 200000; ++i) value = value * 1664525u + 1013904223u;
    return static_cast<int>(value >> 1);
}
template <int N> struct all {
    static constexpr int value = spin<N>() ^ all<N - 1>::value;
};
template <> struct all<0> {
    static constexpr int value = 0;
};
static const int bang = all<800>::value;
void attack() { (void)bang; }
