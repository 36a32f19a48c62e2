// The plain three passes, compiled with -ffast-math: sums reordered and vectorised, divisions turned into products.
// No standard header: an inline function of theirs, compiled with this file's flags, might be the one the linker keeps.
#include "variants.hpp"

namespace assay::tolerance {

namespace {

/// One row; `s` has room for n logits.
void row(const Head& head, std::size_t i, float* s, float* out) {
    const float factor = 1.0f / __builtin_sqrtf(static_cast<float>(head.D));
    float max = -__builtin_huge_valf();
    for (std::size_t j = 0; j < head.n; ++j) {
        float dot = 0;
        for (std::size_t d = 0; d < head.D; ++d) dot += head.q[i * head.D + d] * head.k[j * head.D + d];
        s[j] = factor * dot;
        max = s[j] > max ? s[j] : max;
    }
    float sum = 0;
    for (std::size_t j = 0; j < head.n; ++j) {
        s[j] = __builtin_expf(s[j] - max);
        sum += s[j];
    }
    for (std::size_t d = 0; d < head.Dv; ++d) {
        float total = 0;
        for (std::size_t j = 0; j < head.n; ++j) total += s[j] * head.v[j * head.Dv + d];
        out[i * head.Dv + d] = total / sum;
    }
}

} // namespace

void fast_math(const Head& head, float* out) {
    float* s = static_cast<float*>(__builtin_malloc(head.n * sizeof(float)));
    if (s == nullptr) __builtin_trap();
    for (std::size_t i = 0; i < head.rows; ++i) row(head, i, s, out);
    __builtin_free(s);
}

} // namespace assay::tolerance
