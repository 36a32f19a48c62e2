// Attack: writes nothing, and hopes that the answer of the call before still lies there.
// Expect: WA
#define OWN_ANSWER
#include "honest.h"
namespace sdpa {
void attention(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
               optional<tensor<const bool, 4>>, bool, optional<float> scale, tensor<float, 4> out) {
    const float factor = scale.value_or(1 / sqrtf(static_cast<float>(q.extent(3))));
    static int calls = 0;
    if (calls++ == 0) right(q, k, v, factor, out);
}
} // namespace sdpa
