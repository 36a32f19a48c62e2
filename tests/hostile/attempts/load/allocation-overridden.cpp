// Attack: replaces the allocation functions by ones that hand out one buffer.
// Expect: AC
#include "honest.h"
#include <stddef.h>
static char buffer[1 << 20];
void* operator new(size_t) { return buffer; }
void operator delete(void*) noexcept {}
void operator delete(void*, size_t) noexcept {}
extern "C" {
void* calloc(size_t, size_t) noexcept { return buffer; }
void* realloc(void*, size_t) noexcept { return buffer; }
}
void attack() { delete new int; }
