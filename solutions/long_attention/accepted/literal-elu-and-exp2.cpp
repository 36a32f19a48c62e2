// exp2 for exp with log2(e) folded into the scale, log-sum-exp subtracted instead of a division, elu + 1 taken
// literally, sums from the last key to the first; a ring buffer of keys and values for the window; costs by counting.
#include "contract.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace long_attention {

cost cost_of(method how, setup s) {
    const std::int64_t needed = how == method::blockwise         ? s.block
                                : how == method::window          ? s.window
                                : how == method::low_rank        ? s.rank
                                : how == method::random_features ? s.features
                                                                 : 1;
    if (s.tokens < 1 || s.heads < 1 || s.head_dim < 1 || s.element_bytes < 1 || needed < 1) return {};
    if (how == method::blockwise && s.tokens % s.block != 0) return {};
    const double L = double(s.tokens), D = double(s.head_dim), x = double(needed);
    cost c{0, 0, 0, 0, 0, 0, 4 * L * D, 0, 0};
    const auto per_pair = [&] {
        c.flops_scores = c.flops_values = 2 * D * c.pairs;
        c.exps += c.pairs;
    };
    switch (how) {
    case method::naive:
        c.pairs = L * L;
        per_pair();
        c.bytes += 4 * c.pairs;
        c.peak = 2 * c.pairs;
        break;
    case method::blockwise: {
        double blocks = 0;
        for (std::int64_t row = 1; row <= s.tokens / s.block; ++row) blocks += double(row);
        c.pairs = blocks * x * x;
        per_pair();
        c.exps += blocks * x;
        c.bytes = 2 * D * (L + x * blocks);
        c.peak = x * (x + D + 2);
        break;
    }
    case method::window: {
        const std::int64_t w = std::min(s.window, s.tokens);
        for (std::int64_t i = 0; i < w; ++i) c.pairs += double(i + 1);
        c.pairs += double(s.tokens - w) * double(w);
        per_pair();
        c.peak = double(w) * (2 * D + 1);
        break;
    }
    case method::low_rank:
        c.pairs = L * x;
        per_pair();
        c.flops_prepare = 4 * c.pairs * D;
        c.bytes += 2 * c.pairs + 4 * x * D;
        c.peak = x * (2 * D + 1);
        break;
    default: {
        const bool random = how == method::random_features;
        const double m = random ? x : D;
        if (random) c.flops_prepare = 4 * L * D * (m + 1);
        c.flops_scores = L * m * (2 * D + 1);
        c.flops_values = 2 * L * m * (D + 1);
        c.exps = 2 * L * m;
        c.bytes += random ? m * D : 0;
        c.peak = m * (D + 3);
    }
    }
    const double H = double(s.heads), e = double(s.element_bytes);
    for (double* one : {&c.pairs, &c.flops_prepare, &c.flops_scores, &c.flops_values, &c.exps}) *one *= H;
    c.bytes *= H * e;
    c.peak *= H * e;
    c.flops = c.flops_values + c.flops_scores + c.flops_prepare;
    c.intensity = c.flops / c.bytes;
    return c;
}

crossing crossover(std::int64_t head_dim, std::int64_t rank, std::int64_t features) {
    if (head_dim < 1 || rank < 1 || features < 1) return {};
    crossing c;
    const double D = double(head_dim), m = double(features);
    const auto cost_a_token = [&](method how) { return cost_of(how, {1, 1, head_dim, 1, 1, 1, rank, features}).flops; };
    c.naive_token = cost_a_token(method::naive);
    c.low_rank_token = cost_a_token(method::low_rank);
    c.linear_token = cost_a_token(method::linear);
    c.random_token = cost_a_token(method::random_features);
    const auto cross = [](double above, double below, double& equal, double& first) {
        equal = above / below;
        first = std::floor(equal + 1);
    };
    cross(c.low_rank_token, c.naive_token, c.low_rank_equal, c.low_rank_first);
    cross(c.linear_token, c.naive_token, c.linear_equal, c.linear_first);
    cross(c.random_token, c.naive_token, c.random_equal, c.random_first);
    cross(std::sqrt(cost_of(method::linear, {1, 1, head_dim, 1, 1, 1, 1, 1}).peak), std::sqrt(2.0), c.memory_equal,
          c.memory_first);
    cross(m * D + m, 2 * D, c.cache_equal, c.cache_first);
    return c;
}

namespace {

constexpr float log2e = 1.44269504f;

/// Weights from logits in base 2; keys and values by pointer.
struct row {
    std::vector<const float*> keys, values;
    std::vector<float> s;

    void write(const float* q, std::int64_t D, std::int64_t Dv, float* out) {
        const float scale = log2e / std::sqrt(float(D));
        float m = -std::numeric_limits<float>::infinity(), sum = 0;
        s.assign(keys.size(), 0);
        for (std::size_t t = keys.size(); t-- > 0;) {
            for (std::int64_t d = D; d-- > 0;) s[t] = std::fma(q[d], keys[t][d], s[t]);
            m = std::max(m, s[t] *= scale);
        }
        for (std::size_t t = keys.size(); t-- > 0;) sum += std::exp2(s[t] - m);
        const float lse = m + std::log2(sum);
        std::fill(out, out + Dv, 0.0f);
        for (std::size_t t = keys.size(); t-- > 0;) {
            const float p = keys.size() == 1 ? 1.0f : std::exp2(s[t] - lse);
            for (std::int64_t d = 0; d < Dv; ++d) out[d] += p * values[t][d];
        }
    }
};

} // namespace

void window_with_globals(tensor<const float, 3> q, tensor<const float, 3> k, tensor<const float, 3> v,
                         std::int64_t window, std::int64_t globals, tensor<float, 3> out) {
    const std::int64_t L = q.extent(1), D = q.extent(2), Dv = v.extent(2), w = std::min(window, L);
    row one;
    for (std::int64_t h = 0; h < q.extent(0); ++h)
        for (std::int64_t i = 0; i < L; ++i) {
            one.keys.clear();
            one.values.clear();
            const auto see = [&](std::int64_t j) {
                one.keys.push_back(&k(h, j, 0));
                one.values.push_back(&v(h, j, 0));
            };
            for (std::int64_t j = std::max<std::int64_t>(0, i + 1 - w); j <= i; ++j) see(j);
            for (std::int64_t j = 0; j < std::min(globals, i + 1 - w); ++j) see(j);
            one.write(&q(h, i, 0), D, Dv, &out(h, i, 0));
        }
}

void sliding_window(tensor<const float, 3> q, tensor<const float, 3> k, tensor<const float, 3> v, std::int64_t window,
                    tensor<float, 3> out) {
    const std::int64_t L = q.extent(1), D = q.extent(2), Dv = v.extent(2), w = std::min(window, L);
    for (std::int64_t h = 0; h < q.extent(0); ++h) {
        row ring;
        for (std::int64_t i = 0; i < L; ++i) {
            if (i < w) {
                ring.keys.push_back(nullptr);
                ring.values.push_back(nullptr);
            }
            ring.keys[std::size_t(i % w)] = &k(h, i, 0);
            ring.values[std::size_t(i % w)] = &v(h, i, 0);
            ring.write(&q(h, i, 0), D, Dv, &out(h, i, 0));
        }
    }
}

void low_rank(tensor<const float, 3> q, tensor<const float, 3> k, tensor<const float, 3> v, tensor<const float, 2> e,
              tensor<const float, 2> f, tensor<float, 3> out) {
    const std::int64_t L = q.extent(1), D = q.extent(2), Dv = v.extent(2), R = e.extent(0);
    for (std::int64_t h = 0; h < q.extent(0); ++h) {
        std::vector<float> keys(std::size_t(R * D)), values(std::size_t(R * Dv));
        row one;
        for (std::int64_t r = 0; r < R; ++r) {
            for (std::int64_t d = 0; d < D; ++d)
                for (std::int64_t j = L; j-- > 0;) keys[std::size_t(r * D + d)] += k(h, j, d) * e(r, j);
            for (std::int64_t d = 0; d < Dv; ++d)
                for (std::int64_t j = L; j-- > 0;) values[std::size_t(r * Dv + d)] += v(h, j, d) * f(r, j);
            one.keys.push_back(keys.data() + r * D);
            one.values.push_back(values.data() + r * Dv);
        }
        for (std::int64_t i = 0; i < L; ++i) one.write(&q(h, i, 0), D, Dv, &out(h, i, 0));
    }
}

void linear_attention(tensor<const float, 3> q, tensor<const float, 3> k, tensor<const float, 3> v, float eps,
                      tensor<float, 3> out) {
    const std::int64_t L = q.extent(1), D = q.extent(2), Dv = v.extent(2);
    const auto elu = [](float x) { return x > 0 ? x : std::exp(x) - 1; };
    for (std::int64_t h = 0; h < q.extent(0); ++h) {
        std::vector<std::vector<float>> columns(std::size_t(Dv + 1), std::vector<float>(std::size_t(D))); // v, then 1
        for (std::int64_t i = 0; i < L; ++i) {
            float normaliser = eps;
            for (std::int64_t c = Dv; c >= 0; --c) {
                float sum = 0;
                for (std::int64_t d = 0; d < D; ++d) {
                    const float value = c == Dv ? 1.0f : v(h, i, c);
                    float& state = columns[std::size_t(c)][std::size_t(d)];
                    state += (elu(k(h, i, d)) + 1) * value;
                    sum += (elu(q(h, i, d)) + 1) * state;
                }
                if (c == Dv)
                    normaliser += sum;
                else
                    out(h, i, c) = sum / normaliser;
            }
        }
    }
}

void random_features(tensor<const float, 3> q, tensor<const float, 3> k, tensor<const float, 3> v,
                     tensor<const float, 2> omega, tensor<float, 3> out) {
    // exp(-|omega - y|²/2 + |omega|²/2) = exp(omega·y - |y|²/2), in float64 since the first form cancels
    const std::int64_t L = q.extent(1), D = q.extent(2), Dv = v.extent(2), M = omega.extent(0);
    const double root = std::sqrt(std::sqrt(double(D)));
    const auto exponent = [&](const float* x, std::int64_t m) {
        double apart = 0, own = 0;
        for (std::int64_t d = 0; d < D; ++d) {
            const double w = omega(m, d), y = x[d] / root;
            apart += (w - y) * (w - y);
            own += w * w;
        }
        return (own - apart) / 2;
    };
    for (std::int64_t h = 0; h < q.extent(0); ++h) {
        double top = -std::numeric_limits<double>::infinity();
        for (std::int64_t j = 0; j < L; ++j)
            for (std::int64_t m = 0; m < M; ++m) top = std::max(top, exponent(&k(h, j, 0), m));
        std::vector<double> state(std::size_t(M * (Dv + 1)));
        for (std::int64_t i = 0; i < L; ++i) {
            double own = -std::numeric_limits<double>::infinity();
            for (std::int64_t m = 0; m < M; ++m) own = std::max(own, exponent(&q(h, i, 0), m));
            std::vector<double> sums(std::size_t(Dv + 1));
            for (std::int64_t m = 0; m < M; ++m) {
                const double fk = std::exp(exponent(&k(h, i, 0), m) - top);
                const double fq = std::exp(exponent(&q(h, i, 0), m) - own);
                for (std::int64_t c = 0; c <= Dv; ++c) {
                    double& at = state[std::size_t(m * (Dv + 1) + c)];
                    at += fk * (c == Dv ? 1.0 : double(v(h, i, c)));
                    sums[std::size_t(c)] += fq * at;
                }
            }
            for (std::int64_t c = 0; c < Dv; ++c) out(h, i, c) = float(sums[std::size_t(c)] / sums.back());
        }
    }
}

comparison compare(tensor<const double, 3> q, tensor<const double, 3> k, tensor<const double, 3> v, std::int64_t window,
                   std::int64_t globals) {
    const std::int64_t H = q.extent(0), L = q.extent(1), D = q.extent(2), Dv = v.extent(2);
    comparison c{0, 0, 0, 0, 0, 1, 0, 0};
    double apart = 0, norm = 0;
    for (std::int64_t h = 0; h < H; ++h)
        for (std::int64_t i = L; i-- > 0;) {
            std::vector<double> s(std::size_t(i + 1));
            std::vector<bool> kept(std::size_t(i + 1));
            double m = -std::numeric_limits<double>::infinity(), kept_m = m;
            for (std::int64_t j = i; j >= 0; --j) {
                for (std::int64_t d = 0; d < D; ++d)
                    s[std::size_t(j)] += q(h, i, d) / std::sqrt(double(D)) * k(h, j, d);
                kept[std::size_t(j)] = j < globals || i - j < window;
                m = std::max(m, s[std::size_t(j)]);
                if (kept[std::size_t(j)]) kept_m = std::max(kept_m, s[std::size_t(j)]);
            }
            double sum = 0, kept_sum = 0;
            for (std::size_t j = 0; j < s.size(); ++j) {
                sum += std::exp(s[j] - m);
                if (kept[j]) kept_sum += std::exp(s[j] - kept_m);
            }
            const double lse = m + std::log(sum), kept_lse = kept_m + std::log(kept_sum);
            double mass = 0;
            std::vector<double> difference(static_cast<std::size_t>(Dv)), exact(static_cast<std::size_t>(Dv));
            for (std::size_t j = 0; j < s.size(); ++j) {
                const double p = std::exp(s[j] - lse), near = kept[j] ? std::exp(s[j] - kept_lse) : 0;
                mass += kept[j] ? p : 0;
                for (std::size_t d = 0; d < exact.size(); ++d) {
                    exact[d] += p * v(h, j, d);
                    difference[d] += near * v(h, j, d);
                }
            }
            c.mean_mass += mass;
            c.least_mass = std::min(c.least_mass, mass);
            c.pairs_exact += double(s.size());
            c.pairs_kept += double(std::count(kept.begin(), kept.end(), true));
            for (std::size_t d = 0; d < exact.size(); ++d) {
                difference[d] -= exact[d];
                c.max_error = std::max({c.max_error, difference[d], -difference[d]});
                apart += difference[d] * difference[d];
                norm += exact[d] * exact[d];
            }
        }
    c.share = c.pairs_kept / c.pairs_exact;
    c.flops_saved = (c.pairs_exact - c.pairs_kept) * double(2 * D + 2 * Dv);
    c.mean_mass /= double(H) * double(L);
    c.relative_error = std::sqrt(apart / norm);
    return c;
}

} // namespace long_attention
