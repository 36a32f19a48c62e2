// The attempt that edit-to-verdict edits: what a candidate has after half an hour, right for levels 1 to 5.
#include <cmath>
#include <span>
#include <vector>

#include "contract.hpp"

namespace {

/// Whether query i of head h may attend key j.
bool allowed(const sdpa::optional<sdpa::tensor<const bool, 4>>& mask, bool causal, std::ptrdiff_t b, std::ptrdiff_t h,
             std::ptrdiff_t i, std::ptrdiff_t j, std::ptrdiff_t shift) {
    if (causal && j > i + shift) return false;
    if (!mask) return true;
    const auto& m = *mask;
    return m(b % m.extent(0), h % m.extent(1), i % m.extent(2), j % m.extent(3));
}

/// Turns logits into weights that sum to 1.
void softmax(std::span<float> row) {
    float max = -INFINITY;
    for (const float x : row) max = std::fmax(max, x);
    float sum = 0;
    for (float& x : row) {
        x = std::exp(x - max);
        sum += x;
    }
    for (float& x : row) x /= sum;
}

} // namespace

namespace sdpa {

void attention(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
               optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale, tensor<float, 4> out) {
    const auto D = q.extent(3), Lq = q.extent(2), Lk = k.extent(2);
    const float factor = scale.value_or(1.0f / std::sqrt(static_cast<float>(D)));
    std::vector<float> weights;
    std::vector<std::ptrdiff_t> keys;
    for (std::ptrdiff_t b = 0; b < q.extent(0); ++b)
        for (std::ptrdiff_t h = 0; h < q.extent(1); ++h)
            for (std::ptrdiff_t i = 0; i < Lq; ++i) {
                const std::ptrdiff_t g = h / (q.extent(1) / k.extent(1));
                weights.clear();
                keys.clear();
                for (std::ptrdiff_t j = 0; j < Lk; ++j) {
                    if (!allowed(mask, causal, b, h, i, j, Lk - Lq)) continue;
                    float dot = 0;
                    for (std::ptrdiff_t d = 0; d < D; ++d) dot += q(b, h, i, d) * k(b, g, j, d);
                    weights.push_back(factor * dot);
                    keys.push_back(j);
                }
                softmax(weights);
                for (std::ptrdiff_t d = 0; d < v.extent(3); ++d) {
                    float sum = 0;
                    for (std::size_t n = 0; n < keys.size(); ++n) sum += weights[n] * v(b, g, keys[n], d);
                    out(b, h, i, d) = sum;
                }
            }
}

} // namespace sdpa
