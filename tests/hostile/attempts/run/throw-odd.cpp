// Attack: throws a type whose name is 50 KB long.
// Expect: RTE
#include "honest.h"
template <class A, class B> struct twice {};
template <int N> struct grow {
    using type = twice<typename grow<N - 1>::type, twice<int[N], typename grow<N - 1>::type[N]>>;
};
template <> struct grow<0> {
    using type = long;
};
void attack() { throw typename grow<10>::type(); }
