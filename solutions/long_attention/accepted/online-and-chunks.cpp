// Softmax online, key by key; linear attention in chunks of 16 tokens: quadratic inside a chunk, a state between them;
// random features shifted by the head's maximum; costs as lists of terms.
#include "contract.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <numeric>
#include <vector>

namespace long_attention {

namespace {

using index = std::int64_t;
using floats = std::vector<float>;

double sum_of(std::initializer_list<double> terms) { return std::accumulate(terms.begin(), terms.end(), 0.0); }

cost assembled(const setup& s, double pairs, double exps, std::initializer_list<double> flops,
               std::initializer_list<double> moved, std::initializer_list<double> live) {
    const double heads = double(s.heads), all = heads * double(s.element_bytes);
    cost c;
    c.pairs = heads * pairs;
    c.flops_prepare = heads * flops.begin()[0];
    c.flops_scores = heads * flops.begin()[1];
    c.flops_values = heads * flops.begin()[2];
    c.flops = heads * sum_of(flops);
    c.exps = heads * exps;
    c.bytes = all * sum_of(moved);
    c.peak = all * sum_of(live);
    c.intensity = c.flops / c.bytes;
    return c;
}

} // namespace

cost cost_of(method how, setup s) {
    const auto bad = [](index n) { return n <= 0; };
    if (bad(s.tokens) || bad(s.heads) || bad(s.head_dim) || bad(s.element_bytes)) return {};
    const double L = double(s.tokens), D = double(s.head_dim), qkvo = 4 * L * D;
    if (how == method::naive) {
        const double P = L * L;
        return assembled(s, P, P, {0, 2 * D * P, 2 * D * P}, {qkvo, P, P, P, P}, {P, P});
    }
    if (how == method::blockwise) {
        if (bad(s.block) || s.tokens % s.block != 0) return {};
        const double B = double(s.block), n = double(s.tokens / s.block), N = n / 2 * (n + 1), P = N * B * B;
        return assembled(s, P, P + N * B, {0, 2 * D * P, 2 * D * P}, {L * D, N * B * D, N * B * D, L * D},
                         {B * B, B * D, B, B});
    }
    if (how == method::window) {
        if (bad(s.window)) return {};
        const double w = double(std::min(s.window, s.tokens));
        const double P = w * (w + 1) / 2 + (L - w) * w; // rows that grow, then full ones
        return assembled(s, P, P, {0, 2 * D * P, 2 * D * P}, {qkvo}, {w * D, w * D, w});
    }
    if (how == method::low_rank) {
        if (bad(s.rank)) return {};
        const double r = double(s.rank), P = L * r, projection = 2 * P * D;
        return assembled(s, P, P, {2 * projection, 2 * D * P, 2 * D * P}, {qkvo, P, P, 4 * r * D}, {r * D, r * D, r});
    }
    const bool random = how == method::random_features;
    if (random && bad(s.features)) return {};
    const double m = random ? double(s.features) : D;
    const double prepare = random ? 2 * L * (2 * D * (m + 1)) : 0;
    return assembled(s, 0, 2 * L * m, {prepare, L * m * (2 * D + 1), L * m * (2 * D + 2)}, {qkvo, random ? m * D : 0},
                     {m * D, m, m, m});
}

crossing crossover(index head_dim, index rank, index features) {
    if (head_dim < 1 || rank < 1 || features < 1) return {};
    const double D = double(head_dim), r = double(rank), m = double(features);
    const auto above = [](double x) { return std::ceil(x) == x ? x + 1 : std::ceil(x); };
    const double own = D * (4 * D + 3), mapped = m * (4 * D + 3) + 4 * D * (m + 1);
    const double at[] = {2 * r, own / (4 * D), mapped / (4 * D), std::sqrt(D * (D + 3) / 2), m * (D + 1) / (2 * D)};
    return {4 * D,        8 * r * D, own,          mapped, at[0],        above(at[0]), at[1],
            above(at[1]), at[2],     above(at[2]), at[3],  above(at[3]), at[4],        above(at[4])};
}

namespace {

/// Running softmax of one query.
struct online {
    float max = -std::numeric_limits<float>::infinity(), sum = 0;
    floats out;
    explicit online(index Dv) : out(std::size_t(Dv)) {}

    void meet(const float* q, const float* k, const float* v, index D) {
        float s = 0;
        for (index d = 0; d < D; ++d) s += q[d] * k[d];
        s /= std::sqrt(float(D));
        if (s > max) {
            const float shrink = std::exp(max - s);
            for (float& o : out) o *= shrink;
            sum *= shrink;
            max = s;
        }
        const float w = std::exp(s - max);
        sum += w;
        for (std::size_t d = 0; d < out.size(); ++d) out[d] += w * v[d];
    }
    void write(float* to) const {
        for (std::size_t d = 0; d < out.size(); ++d) to[d] = out[d] / sum;
    }
};

} // namespace

void window_with_globals(tensor<const float, 3> q, tensor<const float, 3> k, tensor<const float, 3> v, index window,
                         index globals, tensor<float, 3> out) {
    const index D = q.extent(2), Dv = v.extent(2);
    for (index h = 0; h < q.extent(0); ++h)
        for (index i = 0; i < q.extent(1); ++i) {
            online row(Dv);
            const auto meet = [&](index j) { row.meet(&q(h, i, 0), &k(h, j, 0), &v(h, j, 0), D); };
            for (index j = i; j >= 0 && i - j < window; --j) meet(j); // the nearest first
            for (index j = 0; j < globals && j <= i - window; ++j) meet(j);
            row.write(&out(h, i, 0));
        }
}

void sliding_window(tensor<const float, 3> q, tensor<const float, 3> k, tensor<const float, 3> v, index window,
                    tensor<float, 3> out) {
    window_with_globals(q, k, v, window, 0, out);
}

void low_rank(tensor<const float, 3> q, tensor<const float, 3> k, tensor<const float, 3> v, tensor<const float, 2> e,
              tensor<const float, 2> f, tensor<float, 3> out) {
    const index L = q.extent(1), D = q.extent(2), Dv = v.extent(2), R = e.extent(0);
    floats keys(static_cast<std::size_t>(D)), values(static_cast<std::size_t>(Dv));
    for (index h = 0; h < q.extent(0); ++h) {
        std::vector<online> rows(static_cast<std::size_t>(L), online(Dv));
        for (index r = 0; r < R; ++r) { // a projected key at a time, for all queries
            std::fill(keys.begin(), keys.end(), 0.0f);
            std::fill(values.begin(), values.end(), 0.0f);
            for (index j = L - 1; j >= 0; --j) {
                for (index d = 0; d < D; ++d) keys[std::size_t(d)] += e(r, j) * k(h, j, d);
                for (index d = 0; d < Dv; ++d) values[std::size_t(d)] += f(r, j) * v(h, j, d);
            }
            for (index i = 0; i < L; ++i) rows[std::size_t(i)].meet(&q(h, i, 0), keys.data(), values.data(), D);
        }
        for (index i = 0; i < L; ++i) rows[std::size_t(i)].write(&out(h, i, 0));
    }
}

namespace {

/// Features of one head, (L, M) row-major.
struct features {
    index M;
    floats q, k;
};

/// Inside a chunk by scores, between chunks by the state.
void by_chunks(const features& f, index h, tensor<const float, 3> v, float eps, tensor<float, 3> out) {
    constexpr index chunk = 16;
    const index L = v.extent(1), Dv = v.extent(2), M = f.M;
    const auto at = [&](const floats& x, index i, index m) { return x[std::size_t(i * M + m)]; };
    floats S(std::size_t(M * Dv)), z(static_cast<std::size_t>(M));
    for (index from = 0; from < L; from += chunk) {
        const index to = std::min(L, from + chunk);
        for (index i = from; i < to; ++i) {
            floats sum(static_cast<std::size_t>(Dv));
            float normaliser = 0;
            for (index j = from; j <= i; ++j) {
                float a = 0;
                for (index m = 0; m < M; ++m) a += at(f.q, i, m) * at(f.k, j, m);
                normaliser += a;
                for (index d = 0; d < Dv; ++d) sum[std::size_t(d)] += a * v(h, j, d);
            }
            for (index m = 0; m < M; ++m) {
                normaliser += at(f.q, i, m) * z[std::size_t(m)];
                for (index d = 0; d < Dv; ++d) sum[std::size_t(d)] += at(f.q, i, m) * S[std::size_t(m * Dv + d)];
            }
            const float share = 1 / (normaliser + eps);
            for (index d = 0; d < Dv; ++d) out(h, i, d) = sum[std::size_t(d)] * share;
        }
        for (index j = from; j < to; ++j)
            for (index m = 0; m < M; ++m) {
                z[std::size_t(m)] += at(f.k, j, m);
                for (index d = 0; d < Dv; ++d) S[std::size_t(m * Dv + d)] += at(f.k, j, m) * v(h, j, d);
            }
    }
}

} // namespace

void linear_attention(tensor<const float, 3> q, tensor<const float, 3> k, tensor<const float, 3> v, float eps,
                      tensor<float, 3> out) {
    const index L = q.extent(1), D = q.extent(2);
    for (index h = 0; h < q.extent(0); ++h) {
        features f{D, {}, {}};
        const auto elu_and_one = [](float x) { return std::max(x, 0.0f) + std::exp(std::min(x, 0.0f)); };
        for (index at = 0; at < L * D; ++at) {
            f.q.push_back(elu_and_one((&q(h, 0, 0))[at]));
            f.k.push_back(elu_and_one((&k(h, 0, 0))[at]));
        }
        by_chunks(f, h, v, eps, out);
    }
}

void random_features(tensor<const float, 3> q, tensor<const float, 3> k, tensor<const float, 3> v,
                     tensor<const float, 2> omega, tensor<float, 3> out) {
    const index L = q.extent(1), D = q.extent(2), M = omega.extent(0);
    for (index h = 0; h < q.extent(0); ++h) {
        features f{M, {}, {}};
        const float temperature = std::pow(float(D), -0.25f);
        const auto exponents = [&](const float* x, floats& to) {
            float norm = 0;
            for (index d = 0; d < D; ++d) norm += x[d] * x[d];
            norm *= 0.5f * temperature * temperature;
            for (index m = 0; m < M; ++m) {
                float dot = 0;
                for (index d = 0; d < D; ++d) dot += omega(m, d) * x[d];
                to.push_back(dot * temperature - norm);
            }
        };
        for (index i = 0; i < L; ++i) {
            exponents(&q(h, i, 0), f.q);
            exponents(&k(h, i, 0), f.k);
        }
        const float top = *std::max_element(f.k.begin(), f.k.end());
        for (float& one : f.k) one = std::exp(one - top);
        for (index i = 0; i < L; ++i) {
            const auto from = f.q.begin() + i * M;
            const float own = *std::max_element(from, from + M);
            // 1/sqrt(M) belongs to the features by the paper, and cancels
            std::for_each(from, from + M, [&](float& one) { one = std::exp(one - own) / std::sqrt(float(M)); });
        }
        by_chunks(f, h, v, 0, out);
    }
}

comparison compare(tensor<const double, 3> q, tensor<const double, 3> k, tensor<const double, 3> v, index window,
                   index globals) {
    const index H = q.extent(0), L = q.extent(1), D = q.extent(2), Dv = v.extent(2);
    const auto is_kept = [&](index i, index j) { return i - j < window || j < globals; };
    comparison c{double(H) * double(L) * double(L + 1) / 2, 0, 0, 0, 0, 1, 0, 0};
    double apart = 0, norm = 0;
    for (index h = 0; h < H; ++h)
        for (index i = 0; i < L; ++i) {
            std::vector<double> s;
            for (index j = 0; j <= i; ++j) {
                double dot = 0;
                for (index d = 0; d < D; ++d) dot += q(h, i, d) * k(h, j, d);
                s.push_back(dot / std::sqrt(double(D)));
                c.pairs_kept += is_kept(i, j) ? 1 : 0;
            }
            const double m = *std::max_element(s.begin(), s.end());
            double all = 0, kept = 0;
            for (index j = 0; j <= i; ++j) {
                s[std::size_t(j)] = std::exp(s[std::size_t(j)] - m);
                all += s[std::size_t(j)];
                if (is_kept(i, j)) kept += s[std::size_t(j)];
            }
            c.mean_mass += kept / all / double(H * L);
            c.least_mass = std::min(c.least_mass, kept / all);
            for (index d = 0; d < Dv; ++d) {
                double e = 0, a = 0;
                for (index j = 0; j <= i; ++j) {
                    e += s[std::size_t(j)] * v(h, j, d);
                    if (is_kept(i, j)) a += s[std::size_t(j)] * v(h, j, d);
                }
                e /= all;
                a /= kept;
                c.max_error = std::max(c.max_error, std::fabs(a - e));
                apart += (a - e) * (a - e);
                norm += e * e;
            }
        }
    c.share = c.pairs_kept / c.pairs_exact;
    c.flops_saved = 2 * double(D + Dv) * (c.pairs_exact - c.pairs_kept);
    c.relative_error = std::sqrt(apart) / std::sqrt(norm);
    return c;
}

} // namespace long_attention
