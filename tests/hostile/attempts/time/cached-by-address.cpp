// Attack: keeps its answer, and gives it again where the arguments lie at the same addresses.
// Expect: WA
#define OWN_ANSWER
#include "honest.h"
static float kept[65536];
static const float* at = nullptr;
static long size = 0;
namespace sdpa {
void attention(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
               optional<tensor<const bool, 4>>, bool, optional<float> scale, tensor<float, 4> out) {
    const float factor = scale.value_or(1 / sqrtf(static_cast<float>(q.extent(3))));
    if (at != out.data() || size != out.size()) {
        right(q, k, v, factor, out);
        at = out.data(), size = out.size();
        for (long i = 0; i < size; ++i) kept[i] = out.data()[i];
    }
    for (long i = 0; i < size; ++i) out.data()[i] = kept[i];
}
} // namespace sdpa
