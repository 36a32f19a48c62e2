// Attack: sets its inputs and its output to zero, for which zero is the right answer.
// Expect: WA
#define OWN_ANSWER
#include "honest.h"
namespace sdpa {
void attention(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
               optional<tensor<const bool, 4>>, bool, optional<float> scale, tensor<float, 4> out) {
    const float factor = scale.value_or(1 / sqrtf(static_cast<float>(q.extent(3))));
    (void)factor;
    for (const auto& input : {q, k, v})
        for (long i = 0; i < input.size(); ++i) const_cast<float*>(input.data())[i] = 0;
    for (long i = 0; i < out.size(); ++i) out.data()[i] = 0;
}
} // namespace sdpa
