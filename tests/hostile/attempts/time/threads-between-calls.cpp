// Attack: a thread that works between the calls, in time that no call is charged for.
// Expect: AC
// Waits for bench: a worker must be still before a timed call starts
#include "honest.h"
#include <pthread.h>
static void* between(void*) {
    for (int i = 0; i < 100; ++i) ::usleep(1000);
    return nullptr;
}
void attack() {
    pthread_t thread;
    if (::pthread_create(&thread, nullptr, between, nullptr) == 0) ::pthread_detach(thread);
}
