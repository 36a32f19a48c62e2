// Attack: changes its inputs while it computes, and puts them back.
// Expect: AC
#define OWN_ANSWER
#include "honest.h"
namespace sdpa {
void attention(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
               optional<tensor<const bool, 4>>, bool, optional<float> scale, tensor<float, 4> out) {
    const float factor = scale.value_or(1 / sqrtf(static_cast<float>(q.extent(3))));
    float* first = const_cast<float*>(q.data());
    const float before = *first;
    *first = 1e9f;
    *first = before;
    right(q, k, v, factor, out);
}
} // namespace sdpa
