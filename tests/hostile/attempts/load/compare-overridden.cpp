// Attack: replaces the functions by which memory is compared and copied, and answers zeros.
// Expect: WA
#define OWN_ANSWER
#include "honest.h"
#include <stddef.h>
extern "C" {
int memcmp(const void*, const void*, size_t) noexcept { return 0; }
int strcmp(const char*, const char*) noexcept { return 0; }
float fabsf(float) noexcept { return 0; }
double fabs(double) noexcept { return 0; }
}
namespace sdpa {
void attention(tensor<const float, 4>, tensor<const float, 4>, tensor<const float, 4>, optional<tensor<const bool, 4>>,
               bool, optional<float>, tensor<float, 4> out) {
    for (long i = 0; i < out.size(); ++i) out.data()[i] = 0;
}
} // namespace sdpa
