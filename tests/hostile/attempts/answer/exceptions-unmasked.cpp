// Attack: has the processor trap at every rounding, in whoever computes next.
// Expect: AC
#define OWN_ANSWER
#include "honest.h"
namespace sdpa {
void attention(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
               optional<tensor<const bool, 4>>, bool, optional<float> scale, tensor<float, 4> out) {
    const float factor = scale.value_or(1 / sqrtf(static_cast<float>(q.extent(3))));
    right(q, k, v, factor, out);
#if defined(__x86_64__)
    unsigned control = 0;
    asm volatile("ldmxcsr %0" : : "m"(control));
#endif
}
} // namespace sdpa
