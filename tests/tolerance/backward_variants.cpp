// The way back written four right ways (whole matrices; FlashAttention-2's, from out and the log-sum-exp; backwards
// with fused operations; powers of two), and with sums in 16 bits.
#include "backward.hpp"

#include <algorithm>
#include <assay/half.hpp>
#include <cmath>
#include <limits>

namespace assay::tolerance {

namespace {

constexpr float log2e = 1.44269504088896341f;

float factor_of(const Head& head) { return 1.0f / std::sqrt(static_cast<float>(head.D)); }

struct Float {
    static float round(float x) { return x; }
};
struct Half {
    static float round(float x) { return half(x); }
};
struct Bfloat {
    static float round(float x) { return bfloat16(x); }
};

float dot(const float* a, const float* b, std::size_t n) {
    float sum = 0;
    for (std::size_t d = 0; d < n; ++d) sum += a[d] * b[d];
    return sum;
}

/// P, dP and dS as whole matrices; every sum over keys or rows rounded by Sum as it grows.
template <class Sum> void matrices(const Head& head, const float* dout, Gradients& to) {
    const std::size_t n = head.n, D = head.D, Dv = head.Dv;
    const float factor = factor_of(head);
    std::vector<float> p(n), dp(n);
    const auto add = [](float& sum, float x) { sum = Sum::round(sum + x); };
    for (std::size_t i = 0; i < head.rows; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            p[j] = factor * dot(head.q + i * D, head.k + j * D, D);
            dp[j] = dot(dout + i * Dv, head.v + j * Dv, Dv);
        }
        const float max = *std::max_element(p.begin(), p.end());
        float total = 0, delta = 0;
        for (float& x : p) add(total, x = std::exp(x - max));
        for (std::size_t j = 0; j < n; ++j) add(delta, (p[j] /= total) * dp[j]);
        for (std::size_t j = 0; j < n; ++j) {
            const float ds = factor * p[j] * (dp[j] - delta);
            for (std::size_t d = 0; d < D; ++d) add(to.dq[i * D + d], ds * head.k[j * D + d]);
            for (std::size_t d = 0; d < D; ++d) add(to.dk[j * D + d], ds * head.q[i * D + d]);
            for (std::size_t d = 0; d < Dv; ++d) add(to.dv[j * Dv + d], p[j] * dout[i * Dv + d]);
        }
    }
}

/// delta = dout·out, weights exp(s - lse), blocks of 16 keys outermost, the scale applied last.
void flash(const Head& head, const float* dout, Gradients& to) {
    const std::size_t n = head.n, D = head.D, Dv = head.Dv;
    const float factor = factor_of(head);
    std::vector<float> lse(head.rows), delta(head.rows), s(n);
    for (std::size_t i = 0; i < head.rows; ++i) {
        for (std::size_t j = 0; j < n; ++j) s[j] = factor * dot(head.q + i * D, head.k + j * D, D);
        const float max = *std::max_element(s.begin(), s.end());
        float total = 0;
        for (const float x : s) total += std::exp(x - max);
        lse[i] = max + std::log(total);
        for (std::size_t d = 0; d < Dv; ++d) {
            float out = 0;
            for (std::size_t j = 0; j < n; ++j) out += std::exp(s[j] - max) * head.v[j * Dv + d];
            delta[i] += dout[i * Dv + d] * (out / total);
        }
    }
    for (std::size_t start = 0; start < n; start += 16)
        for (std::size_t i = 0; i < head.rows; ++i)
            for (std::size_t j = start; j < std::min(start + 16, n); ++j) {
                const float p = std::exp(factor * dot(head.q + i * D, head.k + j * D, D) - lse[i]);
                const float ds = p * (dot(dout + i * Dv, head.v + j * Dv, Dv) - delta[i]);
                for (std::size_t d = 0; d < D; ++d) to.dq[i * D + d] += ds * head.k[j * D + d];
                for (std::size_t d = 0; d < D; ++d) to.dk[j * D + d] += ds * head.q[i * D + d];
                for (std::size_t d = 0; d < Dv; ++d) to.dv[j * Dv + d] += p * dout[i * Dv + d];
            }
    for (float& x : to.dq) x *= factor;
    for (float& x : to.dk) x *= factor;
}

/// Rows, keys and features from the last to the first, every multiply-add fused.
void backwards(const Head& head, const float* dout, Gradients& to) {
    const std::size_t n = head.n, D = head.D, Dv = head.Dv;
    const float factor = factor_of(head);
    const auto fused = [](const float* a, const float* b, std::size_t size) {
        float sum = 0;
        for (std::size_t d = size; d-- > 0;) sum = std::fma(a[d], b[d], sum);
        return sum;
    };
    std::vector<float> p(n), dp(n);
    for (std::size_t i = head.rows; i-- > 0;) {
        float max = -std::numeric_limits<float>::infinity(), total = 0, weighted = 0;
        for (std::size_t j = n; j-- > 0;) {
            p[j] = factor * fused(head.q + i * D, head.k + j * D, D);
            dp[j] = fused(dout + i * Dv, head.v + j * Dv, Dv);
            max = std::max(max, p[j]);
        }
        for (std::size_t j = n; j-- > 0;) {
            total += p[j] = std::exp(p[j] - max);
            weighted = std::fma(p[j], dp[j], weighted);
        }
        for (std::size_t j = n; j-- > 0;) {
            const float weight = p[j] / total, ds = weight * (dp[j] - weighted / total) * factor;
            for (std::size_t d = D; d-- > 0;) {
                to.dq[i * D + d] = std::fma(ds, head.k[j * D + d], to.dq[i * D + d]);
                to.dk[j * D + d] = std::fma(ds, head.q[i * D + d], to.dk[j * D + d]);
            }
            for (std::size_t d = Dv; d-- > 0;)
                to.dv[j * Dv + d] = std::fma(weight, dout[i * Dv + d], to.dv[j * Dv + d]);
        }
    }
}

/// Weights as powers of two, q scaled by log2(e) · scale first; keys outermost, so that dk and dv are sums of one loop.
void powers_of_two(const Head& head, const float* dout, Gradients& to) {
    const std::size_t n = head.n, D = head.D, Dv = head.Dv;
    const float factor = factor_of(head);
    std::vector<float> scaled(head.rows * D), p(head.rows * n), dp(head.rows * n);
    for (std::size_t at = 0; at < scaled.size(); ++at) scaled[at] = log2e * factor * head.q[at];
    for (std::size_t i = 0; i < head.rows; ++i) {
        float* row = p.data() + i * n;
        for (std::size_t j = 0; j < n; ++j) {
            row[j] = dot(scaled.data() + i * D, head.k + j * D, D);
            dp[i * n + j] = dot(dout + i * Dv, head.v + j * Dv, Dv);
        }
        const float max = *std::max_element(row, row + n);
        float total = 0, delta = 0;
        for (std::size_t j = 0; j < n; ++j) total += row[j] = std::exp2(row[j] - max);
        const float inverse = 1 / total;
        for (std::size_t j = 0; j < n; ++j) delta += (row[j] *= inverse) * dp[i * n + j];
        for (std::size_t j = 0; j < n; ++j) dp[i * n + j] = row[j] * (dp[i * n + j] - delta);
    }
    for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t d = 0; d < D; ++d) {
            float sum = 0;
            for (std::size_t i = 0; i < head.rows; ++i) {
                sum += dp[i * n + j] * head.q[i * D + d];
                to.dq[i * D + d] += dp[i * n + j] * (factor * head.k[j * D + d]);
            }
            to.dk[j * D + d] = factor * sum;
        }
        for (std::size_t d = 0; d < Dv; ++d)
            for (std::size_t i = 0; i < head.rows; ++i) to.dv[j * Dv + d] += p[i * n + j] * dout[i * Dv + d];
    }
}

} // namespace

std::vector<BackwardVariant> right_backward_variants() {
    return {{"whole matrices", matrices<Float>},
            {"dout·out, exp(s - lse)", flash},
            {"backwards, fused", backwards},
            {"exp2, log2 e folded", powers_of_two}};
}

std::vector<BackwardVariant> wrong_backward_variants() {
    return {{"half accumulators", matrices<Half>}, {"bfloat16 accumulators", matrices<Bfloat>}};
}

} // namespace assay::tolerance
