// Attack: computes every other row, in the hope that only some are looked at.
// Expect: WA
#define OWN_ANSWER
#include "honest.h"
namespace sdpa {
void attention(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
               optional<tensor<const bool, 4>>, bool, optional<float> scale, tensor<float, 4> out) {
    const float factor = scale.value_or(1 / sqrtf(static_cast<float>(q.extent(3))));
    right(q, k, v, factor, out);
    for (long i = 1; i < out.extent(2); i += 2) out(0, 0, i, 0) = 0;
}
} // namespace sdpa
