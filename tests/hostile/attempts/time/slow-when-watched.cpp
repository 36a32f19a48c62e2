// Attack: slows down the solution that it is compared with, by keeping every core busy.
// Expect: AC
// Waits for bench:  contestants take turns, and an A/A control shows the noise
#define OWN_ANSWER
#include "honest.h"
static void busy() {
    for (volatile int i = 0; i < 100000; i = i + 1) {}
}
namespace sdpa {
void attention(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
               optional<tensor<const bool, 4>>, bool, optional<float> scale, tensor<float, 4> out) {
    const float factor = scale.value_or(1 / sqrtf(static_cast<float>(q.extent(3))));
    busy();
    right(q, k, v, factor, out);
}
} // namespace sdpa
