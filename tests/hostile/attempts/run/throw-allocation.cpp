// Attack: claims to be out of memory without using any, so that the verdict is another.
// Expect: MLE
#include "honest.h"
#include <new>
void attack() { throw std::bad_alloc(); }
