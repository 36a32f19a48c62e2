// Attack: starts threads until no more can be had, to 5,000.
// Expect: AC
#include "honest.h"
#include <pthread.h>
static void* rest(void*) {
    ::sleep(600);
    return nullptr;
}
void attack() {
    static bool begun = false;
    if (begun) return;
    begun = true;
    pthread_attr_t small;
    ::pthread_attr_init(&small);
    ::pthread_attr_setstacksize(&small, 16384);
    pthread_t thread;
    int started = 0;
    while (started < 5000 && ::pthread_create(&thread, &small, rest, nullptr) == 0) ++started;
    if (started > 1000) it_worked();
}
