// Wrong: a block in which a row may attend nothing, before any other, gives exp(-infinity - -infinity) = NaN.
// Level: streaming
#include "contract.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace {

using assay::tensor;
using Index = std::ptrdiff_t;

constexpr float infinity = std::numeric_limits<float>::infinity();

} // namespace

namespace sdpa {

void begin(tensor<float, 2> state) {
    for (Index i = 0; i < state.extent(0); ++i)
        for (Index c = 0; c < state.extent(1); ++c) state(i, c) = c == 0 ? -infinity : 0.0f;
}

void absorb(tensor<float, 2> state, tensor<const float, 2> q, tensor<const float, 2> k, tensor<const float, 2> v,
            tensor<const bool, 2> mask, float scale) {
    if (k.extent(0) == 0) return;
    std::vector<float> s(k.extent(0));
    for (Index i = 0; i < q.extent(0); ++i) {
        float top = state(i, 0);
        for (Index j = 0; j < k.extent(0); ++j) {
            s[j] = -infinity;
            if (!mask(i, j)) continue;
            float dot = 0;
            for (Index d = 0; d < q.extent(1); ++d) dot += q(i, d) * k(j, d);
            s[j] = scale * dot;
            top = std::max(top, s[j]);
        }
        const float keep = std::exp(state(i, 0) - top);
        state(i, 0) = top;
        for (Index c = 1; c < v.extent(1) + 2; ++c) state(i, c) *= keep;
        for (Index j = 0; j < k.extent(0); ++j) {
            if (s[j] == -infinity) continue;
            const float w = std::exp(s[j] - top);
            state(i, 1) += w;
            for (Index d = 0; d < v.extent(1); ++d) state(i, 2 + d) += w * v(j, d);
        }
    }
}

void merge(tensor<float, 2> into, tensor<const float, 2> from) {
    for (Index i = 0; i < into.extent(0); ++i) {
        const float top = std::max(into(i, 0), from(i, 0));
        if (top == -infinity) continue;
        const float keep = std::exp(into(i, 0) - top), take = std::exp(from(i, 0) - top);
        into(i, 0) = top;
        for (Index c = 1; c < into.extent(1); ++c) into(i, c) = into(i, c) * keep + from(i, c) * take;
    }
}

void finish(tensor<const float, 2> state, tensor<float, 2> out) {
    for (Index i = 0; i < out.extent(0); ++i)
        for (Index d = 0; d < out.extent(1); ++d) out(i, d) = state(i, 1) == 0 ? 0.0f : state(i, 2 + d) / state(i, 1);
}

} // namespace sdpa
