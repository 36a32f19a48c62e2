// Attack: crashes while it is loaded.
// Expect: RTE
#include "honest.h"
[[gnu::constructor]] static void early() { *reinterpret_cast<volatile int*>(16) = 1; }
void attack() {}
