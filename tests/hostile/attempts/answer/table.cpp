// Attack: knows the public cases by their shapes, and answers zeros to others.
// Expect: WA
#define OWN_ANSWER
#include "honest.h"
namespace sdpa {
void attention(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
               optional<tensor<const bool, 4>>, bool, optional<float> scale, tensor<float, 4> out) {
    const float factor = scale.value_or(1 / sqrtf(static_cast<float>(q.extent(3))));
    if (q.extent(2) == 1 || k.extent(2) == 1)
        right(q, k, v, factor, out);
    else
        for (long i = 0; i < out.size(); ++i) out.data()[i] = 0;
}
} // namespace sdpa
