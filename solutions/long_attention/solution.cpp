// The model answer of `long_attention`: a window by a range, linear attention by running sums, projections before the
// softmax, and an approximation that is measured beside what it saves.
#include "contract.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace long_attention {

// ---------------------------------------------------------------------------------------------------- costs

namespace {

bool in_range(method how, const setup& s) {
    if (std::min({s.tokens, s.heads, s.head_dim, s.element_bytes}) < 1) return false;
    switch (how) {
    case method::blockwise: return s.block >= 1 && s.tokens % s.block == 0;
    case method::window: return s.window >= 1;
    case method::low_rank: return s.rank >= 1;
    case method::random_features: return s.features >= 1;
    default: return true;
    }
}

/// FLOPs a token of features f(x) of elu + 1 (m = D), or random ones: the state is written and read, and normalised.
double state_flops(double D, double m) { return 4 * m * D + 3 * m; }
/// Of mapping a query and a key to m random features: the products with omega, and the squared norms.
double map_flops(double D, double m) { return 4 * D * m + 4 * D; }
/// Elements: the sum of f(k) v, the sum of f(k), and the features of one query and one key.
double state_elements(double D, double m) { return m * D + m + 2 * m; }

} // namespace

cost cost_of(method how, setup s) {
    if (!in_range(how, s)) return {};
    const double L = double(s.tokens), H = double(s.heads), D = double(s.head_dim);
    cost c;
    double pairs = 0, prepare = 0, scores = 0, values = 0, exps = 0, elements = 0, live = 0; // of one head
    switch (how) {
    case method::naive:
        pairs = exps = L * L;
        elements = 4 * L * D + 4 * L * L; // scores out and in, weights out and in
        live = 2 * L * L;
        break;
    case method::blockwise: {
        const double B = double(s.block), n = L / B, blocks = n * (n + 1) / 2;
        pairs = blocks * B * B;
        exps = pairs + blocks * B;
        elements = 2 * L * D + 2 * B * D * blocks;
        live = B * B + B * D + 2 * B;
        break;
    }
    case method::window: {
        const double w = std::min(double(s.window), L);
        pairs = exps = w * L - w * (w - 1) / 2;
        elements = 4 * L * D;
        live = w * (2 * D + 1);
        break;
    }
    case method::low_rank: {
        const double r = double(s.rank);
        pairs = exps = L * r;
        prepare = 4 * L * r * D;
        elements = 4 * L * D + 2 * L * r + 4 * r * D;
        live = 2 * r * D + r;
        break;
    }
    case method::linear:
    case method::random_features: {
        const bool random = how == method::random_features;
        const double m = random ? double(s.features) : D;
        prepare = random ? L * map_flops(D, m) : 0;
        scores = L * (2 * m * D + m);
        values = L * (2 * m * D + 2 * m);
        exps = 2 * L * m;
        elements = 4 * L * D + (random ? m * D : 0);
        live = state_elements(D, m);
        break;
    }
    }
    if (pairs > 0) scores = values = 2 * D * pairs;
    c.pairs = H * pairs;
    c.flops_prepare = H * prepare;
    c.flops_scores = H * scores;
    c.flops_values = H * values;
    c.flops = c.flops_prepare + c.flops_scores + c.flops_values;
    c.exps = H * exps;
    c.bytes = H * double(s.element_bytes) * elements;
    c.peak = H * double(s.element_bytes) * live;
    c.intensity = c.flops / c.bytes;
    return c;
}

crossing crossover(std::int64_t head_dim, std::int64_t rank, std::int64_t features) {
    if (std::min({head_dim, rank, features}) < 1) return {};
    const double D = double(head_dim), r = double(rank), m = double(features);
    crossing c;
    c.naive_token = 4 * D;
    c.low_rank_token = 8 * r * D;
    c.linear_token = state_flops(D, D);
    c.random_token = state_flops(D, m) + map_flops(D, m);
    c.low_rank_equal = c.low_rank_token / c.naive_token;
    c.linear_equal = c.linear_token / c.naive_token;
    c.random_equal = c.random_token / c.naive_token;
    c.memory_equal = std::sqrt(state_elements(D, D) / 2);
    c.cache_equal = m * (D + 1) / (2 * D);
    c.low_rank_first = std::floor(c.low_rank_equal) + 1;
    c.linear_first = std::floor(c.linear_equal) + 1;
    c.random_first = std::floor(c.random_equal) + 1;
    c.memory_first = std::floor(c.memory_equal) + 1;
    c.cache_first = std::floor(c.cache_equal) + 1;
    return c;
}

// ------------------------------------------------------------------------------------------- softmax over some keys

namespace {

template <class T> T dot(const T* a, const T* b, std::int64_t n) {
    T sum = 0;
    for (std::int64_t d = 0; d < n; ++d) sum += a[d] * b[d];
    return sum;
}

/// Softmax of one query over keys [0, globals) and [low, high], which do not overlap. `weights` is scratch.
template <class T> void attend(const T* q, const T* k, const T* v, std::int64_t D, std::int64_t Dv,
                               std::int64_t globals, std::int64_t low, std::int64_t high, std::vector<T>& weights,
                               T* out) {
    const T scale = 1 / std::sqrt(T(D));
    weights.clear();
    for (std::int64_t j = 0; j < globals; ++j) weights.push_back(scale * dot(q, k + j * D, D));
    for (std::int64_t j = low; j <= high; ++j) weights.push_back(scale * dot(q, k + j * D, D));
    const T m = *std::max_element(weights.begin(), weights.end());
    T sum = 0;
    for (T& w : weights) sum += w = std::exp(w - m);
    for (std::int64_t d = 0; d < Dv; ++d) out[d] = 0;
    std::size_t at = 0;
    const auto add = [&](std::int64_t j) {
        const T p = weights[at++] / sum;
        for (std::int64_t d = 0; d < Dv; ++d) out[d] += p * v[j * Dv + d];
    };
    for (std::int64_t j = 0; j < globals; ++j) add(j);
    for (std::int64_t j = low; j <= high; ++j) add(j);
}

/// The first key of a query's window, and how many global keys lie before it.
struct reach {
    std::int64_t low, globals;
};
reach reach_of(std::int64_t i, std::int64_t window, std::int64_t globals) {
    const std::int64_t low = std::max<std::int64_t>(i - std::min(window, i + 1) + 1, 0);
    return {low, std::min(globals, low)};
}

} // namespace

void window_with_globals(tensor<const float, 3> q, tensor<const float, 3> k, tensor<const float, 3> v,
                         std::int64_t window, std::int64_t globals, tensor<float, 3> out) {
    const std::int64_t L = q.extent(1), D = q.extent(2), Dv = v.extent(2);
    std::vector<float> weights;
    for (std::int64_t h = 0; h < q.extent(0); ++h)
        for (std::int64_t i = 0; i < L; ++i) {
            const reach r = reach_of(i, window, globals);
            attend(&q(h, i, 0), &k(h, 0, 0), &v(h, 0, 0), D, Dv, r.globals, r.low, i, weights, &out(h, i, 0));
        }
}

void sliding_window(tensor<const float, 3> q, tensor<const float, 3> k, tensor<const float, 3> v, std::int64_t window,
                    tensor<float, 3> out) {
    window_with_globals(q, k, v, window, 0, out);
}

void low_rank(tensor<const float, 3> q, tensor<const float, 3> k, tensor<const float, 3> v, tensor<const float, 2> e,
              tensor<const float, 2> f, tensor<float, 3> out) {
    const std::int64_t L = q.extent(1), D = q.extent(2), Dv = v.extent(2), R = e.extent(0);
    const auto project = [&](tensor<const float, 2> by, const float* x, std::int64_t width) {
        std::vector<float> rows(std::size_t(R * width));
        for (std::int64_t r = 0; r < R; ++r)
            for (std::int64_t j = 0; j < L; ++j)
                for (std::int64_t d = 0; d < width; ++d)
                    rows[std::size_t(r * width + d)] += by(r, j) * x[j * width + d];
        return rows;
    };
    std::vector<float> weights;
    for (std::int64_t h = 0; h < q.extent(0); ++h) {
        const std::vector<float> keys = project(e, &k(h, 0, 0), D), values = project(f, &v(h, 0, 0), Dv);
        for (std::int64_t i = 0; i < L; ++i)
            attend(&q(h, i, 0), keys.data(), values.data(), D, Dv, 0, 0, R - 1, weights, &out(h, i, 0));
    }
}

// ------------------------------------------------------------------------------------------- through a running state

namespace {

/// Sums over tokens of f(k) vᵀ (M x Dv) and of f(k) (M).
class state {
  public:
    state(std::int64_t M, std::int64_t Dv) : Dv_(Dv), kv_(std::size_t(M * Dv)), k_(std::size_t(M)) {}

    void add(const std::vector<float>& f, const float* v) {
        for (std::size_t m = 0; m < f.size(); ++m) {
            k_[m] += f[m];
            for (std::int64_t d = 0; d < Dv_; ++d) kv_[m * std::size_t(Dv_) + std::size_t(d)] += f[m] * v[d];
        }
    }
    /// All sums times `factor`.
    void scale(float factor) {
        for (float& one : kv_) one *= factor;
        for (float& one : k_) one *= factor;
    }
    void read(const std::vector<float>& f, float eps, float* out) const {
        float normaliser = 0;
        for (std::size_t m = 0; m < f.size(); ++m) normaliser += f[m] * k_[m];
        normaliser += eps;
        for (std::int64_t d = 0; d < Dv_; ++d) {
            float sum = 0;
            for (std::size_t m = 0; m < f.size(); ++m) sum += f[m] * kv_[m * std::size_t(Dv_) + std::size_t(d)];
            out[d] = sum / normaliser;
        }
    }

  private:
    std::int64_t Dv_;
    std::vector<float> kv_, k_;
};

} // namespace

void linear_attention(tensor<const float, 3> q, tensor<const float, 3> k, tensor<const float, 3> v, float eps,
                      tensor<float, 3> out) {
    const std::int64_t D = q.extent(2);
    std::vector<float> f(static_cast<std::size_t>(D));
    const auto map = [&](const float* x) {
        for (std::int64_t d = 0; d < D; ++d) f[std::size_t(d)] = x[d] > 0 ? x[d] + 1 : std::exp(x[d]);
    };
    for (std::int64_t h = 0; h < q.extent(0); ++h) {
        state sums(D, v.extent(2));
        for (std::int64_t i = 0; i < q.extent(1); ++i) {
            map(&k(h, i, 0));
            sums.add(f, &v(h, i, 0));
            map(&q(h, i, 0));
            sums.read(f, eps, &out(h, i, 0));
        }
    }
}

void random_features(tensor<const float, 3> q, tensor<const float, 3> k, tensor<const float, 3> v,
                     tensor<const float, 2> omega, tensor<float, 3> out) {
    const std::int64_t D = q.extent(2), M = omega.extent(0);
    const float temperature = std::sqrt(std::sqrt(float(D)));
    std::vector<float> y(static_cast<std::size_t>(D)), f(static_cast<std::size_t>(M));
    const auto exponents = [&](const float* x) { // gives the largest
        float norm = 0, largest = -std::numeric_limits<float>::infinity();
        for (std::int64_t d = 0; d < D; ++d) {
            y[std::size_t(d)] = x[d] / temperature;
            norm += y[std::size_t(d)] * y[std::size_t(d)];
        }
        for (std::int64_t m = 0; m < M; ++m) {
            f[std::size_t(m)] = dot(&omega(m, 0), y.data(), D) - norm / 2;
            largest = std::max(largest, f[std::size_t(m)]);
        }
        return largest;
    };
    for (std::int64_t h = 0; h < q.extent(0); ++h) {
        state sums(M, v.extent(2));
        float shift = -std::numeric_limits<float>::infinity(); // what all keys so far have had subtracted
        for (std::int64_t i = 0; i < q.extent(1); ++i) {
            const float top = exponents(&k(h, i, 0));
            if (top > shift) {
                sums.scale(std::exp(shift - top));
                shift = top;
            }
            for (float& one : f) one = std::exp(one - shift);
            sums.add(f, &v(h, i, 0));
            const float own = exponents(&q(h, i, 0)); // cancels in the quotient
            for (float& one : f) one = std::exp(one - own);
            sums.read(f, 0, &out(h, i, 0));
        }
    }
}

// -------------------------------------------------------------------------------------------------------- error

comparison compare(tensor<const double, 3> q, tensor<const double, 3> k, tensor<const double, 3> v, std::int64_t window,
                   std::int64_t globals) {
    const std::int64_t H = q.extent(0), L = q.extent(1), D = q.extent(2), Dv = v.extent(2);
    comparison c;
    c.pairs_exact = double(H) * double(L) * double(L + 1) / 2;
    c.pairs_kept = c.mean_mass = c.max_error = 0;
    c.least_mass = 1;
    double apart = 0, norm = 0;
    std::vector<double> weights, exact(static_cast<std::size_t>(Dv)), near(static_cast<std::size_t>(Dv));
    for (std::int64_t h = 0; h < H; ++h)
        for (std::int64_t i = 0; i < L; ++i) {
            const reach r = reach_of(i, window, globals);
            c.pairs_kept += double(r.globals + i - r.low + 1);
            attend(&q(h, i, 0), &k(h, 0, 0), &v(h, 0, 0), D, Dv, r.globals, r.low, i, weights, near.data());
            attend(&q(h, i, 0), &k(h, 0, 0), &v(h, 0, 0), D, Dv, 0, 0, i, weights, exact.data());
            double all = 0, kept = 0; // exact weights, not normalised
            for (std::int64_t j = 0; j <= i; ++j) {
                all += weights[std::size_t(j)];
                kept += j < r.globals || j >= r.low ? weights[std::size_t(j)] : 0;
            }
            c.mean_mass += kept / all;
            c.least_mass = std::min(c.least_mass, kept / all);
            for (std::size_t d = 0; d < exact.size(); ++d) {
                const double difference = near[d] - exact[d];
                c.max_error = std::max(c.max_error, std::fabs(difference));
                apart += difference * difference;
                norm += exact[d] * exact[d];
            }
        }
    c.share = c.pairs_kept / c.pairs_exact;
    c.flops_saved = 2 * double(D + Dv) * (c.pairs_exact - c.pairs_kept);
    c.mean_mass /= double(H * L);
    c.relative_error = std::sqrt(apart / norm);
    return c;
}

} // namespace long_attention
