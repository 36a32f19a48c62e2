// Fifteen right ways to compute one head of attention in float32.
#include "variants.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#ifdef __SSE2__
#include <xmmintrin.h>
#endif

namespace assay::tolerance {

namespace {

constexpr float log2e = 1.44269504088896341f;
constexpr float minus_infinity = -std::numeric_limits<float>::infinity();

float factor_of(const Head& head) { return 1.0f / std::sqrt(static_cast<float>(head.D)); }

float dot_of(const Head& head, std::size_t i, std::size_t j) {
    float dot = 0;
    for (std::size_t d = 0; d < head.D; ++d) dot += head.q[i * head.D + d] * head.k[j * head.D + d];
    return dot;
}

std::vector<float> logits_of(const Head& head, std::size_t i) {
    std::vector<float> s(head.n);
    for (std::size_t j = 0; j < head.n; ++j) s[j] = factor_of(head) * dot_of(head, i, j);
    return s;
}

float max_of(const std::vector<float>& s) { return *std::max_element(s.begin(), s.end()); }

void plain(const Head& head, float* out) {
    for (std::size_t i = 0; i < head.rows; ++i) {
        std::vector<float> s = logits_of(head, i);
        const float max = max_of(s);
        float sum = 0;
        for (float& x : s) sum += x = std::exp(x - max);
        for (std::size_t d = 0; d < head.Dv; ++d) {
            float total = 0;
            for (std::size_t j = 0; j < head.n; ++j) total += s[j] * head.v[j * head.Dv + d];
            out[i * head.Dv + d] = total / sum;
        }
    }
}

void reversed(const Head& head, float* out) {
    for (std::size_t i = 0; i < head.rows; ++i) {
        std::vector<float> s(head.n);
        for (std::size_t j = 0; j < head.n; ++j) {
            float dot = 0;
            for (std::size_t d = head.D; d-- > 0;) dot += head.q[i * head.D + d] * head.k[j * head.D + d];
            s[j] = dot * factor_of(head);
        }
        const float max = max_of(s);
        float sum = 0;
        for (std::size_t j = head.n; j-- > 0;) sum += s[j] = std::exp(s[j] - max);
        for (std::size_t d = 0; d < head.Dv; ++d) {
            float total = 0;
            for (std::size_t j = head.n; j-- > 0;) total += s[j] * head.v[j * head.Dv + d];
            out[i * head.Dv + d] = total / sum;
        }
    }
}

/// FlashAttention's order: a running maximum, sums rescaled once a block.
template <std::size_t Block> void online(const Head& head, float* out) {
    std::vector<float> total(head.Dv);
    for (std::size_t i = 0; i < head.rows; ++i) {
        float max = minus_infinity;
        float sum = 0;
        std::fill(total.begin(), total.end(), 0.0f);
        for (std::size_t start = 0; start < head.n; start += Block) {
            const std::size_t end = std::min(start + Block, head.n);
            float s[Block] = {};
            float top = max;
            for (std::size_t j = start; j < end; ++j) {
                s[j - start] = factor_of(head) * dot_of(head, i, j);
                top = std::max(top, s[j - start]);
            }
            const float keep = std::exp(max - top);
            max = top;
            sum *= keep;
            for (float& x : total) x *= keep;
            for (std::size_t j = start; j < end; ++j) {
                const float weight = std::exp(s[j - start] - max);
                sum += weight;
                for (std::size_t d = 0; d < head.Dv; ++d) total[d] += weight * head.v[j * head.Dv + d];
            }
        }
        for (std::size_t d = 0; d < head.Dv; ++d) out[i * head.Dv + d] = total[d] / sum;
    }
}

void exp2_folded(const Head& head, float* out) {
    const float factor = factor_of(head) * log2e;
    for (std::size_t i = 0; i < head.rows; ++i) {
        std::vector<float> s(head.n);
        for (std::size_t j = 0; j < head.n; ++j) s[j] = factor * dot_of(head, i, j);
        const float max = max_of(s);
        float sum = 0;
        for (float& x : s) sum += x = std::exp2(x - max);
        for (std::size_t d = 0; d < head.Dv; ++d) {
            float total = 0;
            for (std::size_t j = 0; j < head.n; ++j) total += s[j] * head.v[j * head.Dv + d];
            out[i * head.Dv + d] = total / sum;
        }
    }
}

/// As a compiler with -ffp-contract=fast on a machine with fused multiply-add makes it, the shift included.
void fused(const Head& head, float* out) {
    for (std::size_t i = 0; i < head.rows; ++i) {
        std::vector<float> dots(head.n);
        for (std::size_t j = 0; j < head.n; ++j)
            for (std::size_t d = 0; d < head.D; ++d)
                dots[j] = std::fma(head.q[i * head.D + d], head.k[j * head.D + d], dots[j]);
        const float factor = factor_of(head);
        const float max = factor * max_of(dots);
        float sum = 0;
        for (float& x : dots) sum += x = std::exp(std::fma(factor, x, -max));
        for (std::size_t d = 0; d < head.Dv; ++d) {
            float total = 0;
            for (std::size_t j = 0; j < head.n; ++j) total = std::fma(dots[j], head.v[j * head.Dv + d], total);
            out[i * head.Dv + d] = total / sum;
        }
    }
}

/// The plain passes while the processor flushes subnormal results to zero and reads subnormal inputs as zero.
void flushed(const Head& head, float* out) {
#if defined(__SSE2__)
    const unsigned before = _mm_getcsr();
    _mm_setcsr(before | 0x8040u);
    plain(head, out);
    _mm_setcsr(before);
#elif defined(__aarch64__)
    unsigned long before = 0;
    __asm__ volatile("mrs %0, fpcr" : "=r"(before));
    __asm__ volatile("msr fpcr, %0" : : "r"(before | (1ul << 24)));
    plain(head, out);
    __asm__ volatile("msr fpcr, %0" : : "r"(before));
#else
    plain(head, out);
#endif
}

float pairwise_sum(const float* x, std::size_t count, std::size_t step) {
    if (count == 1) return x[0];
    const std::size_t half = count / 2;
    return pairwise_sum(x, half, step) + pairwise_sum(x + half * step, count - half, step);
}

void pairwise(const Head& head, float* out) {
    std::vector<float> products(std::max(head.D, head.n));
    for (std::size_t i = 0; i < head.rows; ++i) {
        std::vector<float> s(head.n);
        for (std::size_t j = 0; j < head.n; ++j) {
            for (std::size_t d = 0; d < head.D; ++d) products[d] = head.q[i * head.D + d] * head.k[j * head.D + d];
            s[j] = factor_of(head) * pairwise_sum(products.data(), head.D, 1);
        }
        const float max = max_of(s);
        for (float& x : s) x = std::exp(x - max);
        const float sum = pairwise_sum(s.data(), head.n, 1);
        for (std::size_t d = 0; d < head.Dv; ++d) {
            for (std::size_t j = 0; j < head.n; ++j) products[j] = s[j] * head.v[j * head.Dv + d];
            out[i * head.Dv + d] = pairwise_sum(products.data(), head.n, 1) / sum;
        }
    }
}

void query_scaled_first(const Head& head, float* out) {
    std::vector<float> q(head.rows * head.D);
    std::transform(head.q, head.q + q.size(), q.begin(),
                   [&](float x) { return x / std::sqrt(static_cast<float>(head.D)); });
    for (std::size_t i = 0; i < head.rows; ++i) {
        std::vector<float> s(head.n);
        for (std::size_t j = 0; j < head.n; ++j)
            for (std::size_t d = 0; d < head.D; ++d) s[j] += q[i * head.D + d] * head.k[j * head.D + d];
        const float max = max_of(s);
        float sum = 0;
        for (float& x : s) sum += x = std::exp(x - max);
        for (std::size_t d = 0; d < head.Dv; ++d) {
            float total = 0;
            for (std::size_t j = 0; j < head.n; ++j) total += s[j] * head.v[j * head.Dv + d];
            out[i * head.Dv + d] = total * (1.0f / sum);
        }
    }
}

void weights_normalised_first(const Head& head, float* out) {
    for (std::size_t i = 0; i < head.rows; ++i) {
        std::vector<float> p = logits_of(head, i);
        const float max = max_of(p);
        float sum = 0;
        for (float& x : p) sum += x = std::exp(x - max);
        for (float& x : p) x /= sum;
        for (std::size_t d = 0; d < head.Dv; ++d) {
            float total = 0;
            for (std::size_t j = 0; j < head.n; ++j) total += p[j] * head.v[j * head.Dv + d];
            out[i * head.Dv + d] = total;
        }
    }
}

/// Two passes over the keys and no row of logits kept: the second forms each logit anew, as scale · dot - lse in one
/// fused operation (what aarch64 compilers make of that expression by default).
void log_sum_exp(const Head& head, float* out) {
    std::vector<float> total(head.Dv);
    for (std::size_t i = 0; i < head.rows; ++i) {
        const std::vector<float> s = logits_of(head, i);
        const float max = max_of(s);
        float sum = 0;
        for (const float x : s) sum += std::exp(x - max);
        const float lse = max + std::log(sum);
        std::fill(total.begin(), total.end(), 0.0f);
        for (std::size_t j = 0; j < head.n; ++j) {
            const float p = std::exp(std::fma(factor_of(head), dot_of(head, i, j), -lse));
            for (std::size_t d = 0; d < head.Dv; ++d) total[d] += p * head.v[j * head.Dv + d];
        }
        std::copy(total.begin(), total.end(), out + i * head.Dv);
    }
}

/// Flash decoding: the keys in four parts, each finished on its own, then weighed by their log-sum-exp.
void split_and_merged(const Head& head, float* out) {
    constexpr std::size_t parts = 4;
    for (std::size_t i = 0; i < head.rows; ++i) {
        const std::vector<float> s = logits_of(head, i);
        float max[parts], sum[parts];
        std::vector<float> total(parts * head.Dv);
        float top = minus_infinity;
        for (std::size_t part = 0; part < parts; ++part) {
            max[part] = minus_infinity;
            sum[part] = 0;
            const std::size_t start = part * head.n / parts, end = (part + 1) * head.n / parts;
            for (std::size_t j = start; j < end; ++j) max[part] = std::max(max[part], s[j]);
            for (std::size_t j = start; j < end; ++j) {
                const float weight = std::exp(s[j] - max[part]);
                sum[part] += weight;
                for (std::size_t d = 0; d < head.Dv; ++d) total[part * head.Dv + d] += weight * head.v[j * head.Dv + d];
            }
            top = std::max(top, max[part]);
        }
        float whole = 0;
        for (std::size_t part = 0; part < parts; ++part) whole += sum[part] * std::exp(max[part] - top);
        for (std::size_t d = 0; d < head.Dv; ++d) {
            float result = 0;
            for (std::size_t part = 0; part < parts; ++part)
                result += total[part * head.Dv + d] * std::exp(max[part] - top);
            out[i * head.Dv + d] = result / whole;
        }
    }
}

} // namespace

bool can_flush_to_zero() {
#if defined(__SSE2__) || defined(__aarch64__)
    return true;
#else
    return false;
#endif
}

std::vector<Variant> right_variants() {
    return {{"three passes", plain},
            {"in reverse", reversed},
            {"online, blocks of 1", online<1>},
            {"online, blocks of 16", online<16>},
            {"online, blocks of 32", online<32>},
            {"online, blocks of 64", online<64>},
            {"exp2, log2 e folded", exp2_folded},
            {"fused multiply-add", fused},
            {"-ffast-math", fast_math},
            {"flush to zero", flushed},
            {"pairwise sums", pairwise},
            {"q scaled first", query_scaled_first},
            {"p normalised first", weights_normalised_first},
            {"exp(s - lse)", log_sum_exp},
            {"split and merged", split_and_merged}};
}

} // namespace assay::tolerance
