// Attack: raises its own limits.
// Expect: AC
// Proof: claim
#include "honest.h"
#include <sys/resource.h>
void attack() {
    const rlimit none{RLIM_INFINITY, RLIM_INFINITY};
    if (::setrlimit(RLIMIT_DATA, &none) == 0 || ::setrlimit(RLIMIT_CORE, &none) == 0) it_worked();
}
