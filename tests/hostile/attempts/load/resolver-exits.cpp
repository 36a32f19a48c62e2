// Attack: code that runs while the loader still resolves symbols, before any constructor.
// Expect: RTE
#include "honest.h"
extern "C" {
static void nothing() {}
static void (*resolve())() {
    ::_exit(0);
    return nothing;
}
void chosen() __attribute__((ifunc("resolve")));
}
void attack() { chosen(); }
