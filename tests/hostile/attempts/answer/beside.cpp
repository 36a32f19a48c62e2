// Attack: writes past the end of its output.
// Expect: RTE
#define OWN_ANSWER
#include "honest.h"
namespace sdpa {
void attention(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
               optional<tensor<const bool, 4>>, bool, optional<float> scale, tensor<float, 4> out) {
    const float factor = scale.value_or(1 / sqrtf(static_cast<float>(q.extent(3))));
    right(q, k, v, factor, out);
    out.data()[out.size()] = 0;
}
} // namespace sdpa
