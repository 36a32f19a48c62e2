// Attack: a diagnostic of megabytes, from types whose names double.
// Expect: CE
#include "honest.h"
template <class A, class B> struct pair {};
template <int N> struct grow {
    using type = pair<typename grow<N - 1>::type, typename grow<N - 1>::type>;
};
template <> struct grow<0> {
    using type = int;
};
int shown = grow<17>::type();
void attack() {}
