// Attack: a symbol whose name takes a megabyte.
// Expect: AC
#include "honest.h"
template <class A, class B> struct twice {};
template <int N> struct grow {
    using type = twice<typename grow<N - 1>::type, twice<typename grow<N - 1>::type, int[N]>>;
};
template <> struct grow<0> {
    using type = long;
};
template <class T> void named(T*) {}
void attack() { named(static_cast<grow<12>::type*>(nullptr)); }
