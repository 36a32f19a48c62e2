// Attack: a child that keeps the channel and the output open, so that whoever waits for their end waits for ever.
// Expect: AC
// Proof: process
#include "honest.h"
void attack() {
    if (::fork() == 0) {
        ::setsid();
        ::sleep(600);
        ::_exit(0);
    }
}
