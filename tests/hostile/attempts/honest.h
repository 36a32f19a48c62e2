// Beside every attack: the right answer to level 1, so that an attack that is stopped can still be judged, and the words
// by which one tells that it was not.
#ifndef HONEST_H
#define HONEST_H

#include "contract.hpp"

#include <initializer_list>
#include <unistd.h>

extern "C" float expf(float);
extern "C" float sqrtf(float);

/// Tells the bench that the attack had its effect.
static inline void it_worked() { (void)!::write(1, "it-worked\n", 10); }

/// softmax(scale q k^T) v over all keys, for the shapes that level 1 asks.
static inline void right(assay::tensor<const float, 4> q, assay::tensor<const float, 4> k,
                         assay::tensor<const float, 4> v, float scale, assay::tensor<float, 4> out) {
    for (long b = 0; b < q.extent(0); ++b)
        for (long h = 0; h < q.extent(1); ++h)
            for (long i = 0; i < q.extent(2); ++i) {
                float weights[256], top = -1e30f, total = 0;
                const long g = h / (q.extent(1) / k.extent(1)), keys = k.extent(2);
                for (long j = 0; j < keys; ++j) {
                    float dot = 0;
                    for (long d = 0; d < q.extent(3); ++d) dot += q(b, h, i, d) * k(b, g, j, d);
                    weights[j] = scale * dot;
                    if (weights[j] > top) top = weights[j];
                }
                for (long j = 0; j < keys; ++j) total += weights[j] = expf(weights[j] - top);
                for (long d = 0; d < v.extent(3); ++d) {
                    float sum = 0;
                    for (long j = 0; j < keys; ++j) sum += weights[j] * v(b, g, j, d);
                    out(b, h, i, d) = sum / total;
                }
            }
}

#ifndef OWN_ANSWER
/// What the program does at every call, before it answers right.
void attack();

namespace sdpa {
void attention(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
               optional<tensor<const bool, 4>>, bool, optional<float> scale, tensor<float, 4> out) {
    attack();
    right(q, k, v, scale.value_or(1 / sqrtf(static_cast<float>(q.extent(3)))), out);
}
} // namespace sdpa
#endif

#endif
