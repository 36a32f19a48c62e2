// Ways to compute one head of attention that keep in 16 or 19 bits what the contract keeps in float32.
#include "variants.hpp"

#include <algorithm>
#include <assay/half.hpp>
#include <cmath>
#include <cstdint>

namespace assay::tolerance {

namespace {

struct Float {
    static float round(float x) { return x; }
};
struct Half {
    static float round(float x) { return half(x); }
};
struct Bfloat {
    static float round(float x) { return bfloat16(x); }
};
/// TF32: float32's exponent with half's 10 bits of mantissa, to nearest even, as tensor cores take their inputs.
struct Tf32 {
    static float round(float x) {
        const std::uint32_t bits = detail::bits_of(x);
        return detail::float_of((bits + 0xfffu + ((bits >> 13) & 1u)) & ~0x1fffu);
    }
};

/// Input: what q, k and v are rounded to first. Score: what q·k is accumulated in. Weight: what a weight is rounded to
/// before it meets v. Sum: what the denominator and the weighted sum are accumulated in.
template <class Input, class Score, class Weight, class Sum> void coarse(const Head& head, float* out) {
    const float factor = 1.0f / std::sqrt(static_cast<float>(head.D));
    std::vector<float> s(head.n);
    for (std::size_t i = 0; i < head.rows; ++i) {
        for (std::size_t j = 0; j < head.n; ++j) {
            float dot = 0;
            for (std::size_t d = 0; d < head.D; ++d)
                dot = Score::round(dot + Input::round(head.q[i * head.D + d]) * Input::round(head.k[j * head.D + d]));
            s[j] = Score::round(factor * dot);
        }
        const float max = *std::max_element(s.begin(), s.end());
        float sum = 0;
        for (float& x : s) {
            x = std::exp(x - max);
            sum = Sum::round(sum + x);
        }
        for (std::size_t d = 0; d < head.Dv; ++d) {
            float total = 0;
            for (std::size_t j = 0; j < head.n; ++j)
                total = Sum::round(total + Weight::round(s[j]) * Input::round(head.v[j * head.Dv + d]));
            out[i * head.Dv + d] = total / sum;
        }
    }
}

} // namespace

std::vector<Variant> wrong_variants() {
    return {{"half accumulators", coarse<Float, Float, Float, Half>},
            {"bfloat16 accumulators", coarse<Float, Float, Float, Bfloat>},
            {"TF32 inputs", coarse<Tf32, Float, Float, Float>},
            {"half scores", coarse<Float, Half, Float, Float>},
            {"half weights", coarse<Float, Float, Half, Float>}};
}

} // namespace assay::tolerance
