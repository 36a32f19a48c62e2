// Attack: has every signal ignored and blocked, then never ends.
// Expect: TLE
#include "honest.h"
#include <signal.h>
void attack() {
    sigset_t all;
    ::sigfillset(&all);
    ::sigprocmask(SIG_SETMASK, &all, nullptr);
    for (int number = 1; number < 32; ++number) ::signal(number, SIG_IGN);
    for (volatile long i = 0;; i = i + 1) {}
}
