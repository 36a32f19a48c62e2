// Attack: keeps its answers by the content of the arguments: a repeat costs a lookup.
// Expect: AC
// Waits for bench:  a repeat of a timed call must have fresh content
#define OWN_ANSWER
#include "honest.h"
static float seen[64], kept[65536];
static long size = -1;
namespace sdpa {
void attention(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
               optional<tensor<const bool, 4>>, bool, optional<float> scale, tensor<float, 4> out) {
    const float factor = scale.value_or(1 / sqrtf(static_cast<float>(q.extent(3))));
    bool same = size == out.size() && q.size() >= 8;
    for (long i = 0; same && i < 8; ++i) same = q.data()[i] == seen[i];
    if (!same) {
        right(q, k, v, factor, out);
        size = out.size();
        for (long i = 0; i < 8 && i < q.size(); ++i) seen[i] = q.data()[i];
        for (long i = 0; i < size; ++i) kept[i] = out.data()[i];
    }
    for (long i = 0; i < size; ++i) out.data()[i] = kept[i];
}
} // namespace sdpa
