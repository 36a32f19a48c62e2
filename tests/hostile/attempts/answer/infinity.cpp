// Attack: answers infinity, from which every difference is infinite or NaN.
// Expect: WA
#define OWN_ANSWER
#include "honest.h"
namespace sdpa {
void attention(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
               optional<tensor<const bool, 4>>, bool, optional<float> scale, tensor<float, 4> out) {
    const float factor = scale.value_or(1 / sqrtf(static_cast<float>(q.extent(3))));
    right(q, k, v, factor, out);
    for (long i = 0; i < out.size(); ++i) out.data()[i] = __builtin_inff();
}
} // namespace sdpa
