// Attack: answers with its input.
// Expect: WA
#define OWN_ANSWER
#include "honest.h"
namespace sdpa {
void attention(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
               optional<tensor<const bool, 4>>, bool, optional<float> scale, tensor<float, 4> out) {
    const float factor = scale.value_or(1 / sqrtf(static_cast<float>(q.extent(3))));
    (void)k, (void)v, (void)factor;
    for (long i = 0; i < out.size(); ++i) out.data()[i] = q.data()[i % q.size()];
}
} // namespace sdpa
