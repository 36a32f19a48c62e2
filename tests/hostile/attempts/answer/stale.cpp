// Attack: answers with what a tensor of an earlier call holds.
// Expect: WA
#define OWN_ANSWER
#include "honest.h"
static float* earlier = nullptr;
namespace sdpa {
void attention(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
               optional<tensor<const bool, 4>>, bool, optional<float> scale, tensor<float, 4> out) {
    const float factor = scale.value_or(1 / sqrtf(static_cast<float>(q.extent(3))));
    if (earlier == nullptr) {
        right(q, k, v, factor, out);
        earlier = const_cast<float*>(v.data()); // the last tensor but one: not where `out` lies
        return;
    }
    for (long i = 0; i < out.size(); ++i) out.data()[i] = earlier[i];
}
} // namespace sdpa
