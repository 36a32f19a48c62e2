// Attack: computes with 8 bits of mantissa.
// Expect: WA
#define OWN_ANSWER
#include "honest.h"
static float short_of(float x) {
    unsigned bits;
    __builtin_memcpy(&bits, &x, 4);
    bits = (bits + 0x8000) & 0xffff0000;
    __builtin_memcpy(&x, &bits, 4);
    return x;
}
namespace sdpa {
void attention(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
               optional<tensor<const bool, 4>>, bool, optional<float> scale, tensor<float, 4> out) {
    const float factor = scale.value_or(1 / sqrtf(static_cast<float>(q.extent(3))));
    right(q, k, v, factor, out);
    for (long i = 0; i < out.size(); ++i) out.data()[i] = short_of(out.data()[i]);
}
} // namespace sdpa
