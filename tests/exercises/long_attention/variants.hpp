// The four tensor functions in float32 with the order of every sum, the exponential, the quotient and the structure of
// the computation to choose, and with partial sums rounded to something coarser where that is to be tried.
#ifndef ASSAY_TESTS_LONG_ATTENTION_VARIANTS_HPP
#define ASSAY_TESTS_LONG_ATTENTION_VARIANTS_HPP

#include "core/problem.hpp"

#include <algorithm>
#include <assay/half.hpp>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace assay::long_attention_test {

using Floats = std::vector<float>;
using Keep = float (*)(float); // rounds a partial sum

inline float kept(float x) { return x; }
inline float in_half(float x) { return static_cast<float>(half(x)); }
inline float in_bfloat16(float x) { return static_cast<float>(bfloat16(x)); }

enum class Order { forward, backward, pairwise, lanes };
enum class Softmax { quotient, reciprocal, less_log, base_two, online };
enum class Elu { exp, expm1, literal };
enum class Causal { state, scores, chunks };
enum class Shift { running, global };

struct Way {
    std::string name;
    Order order = Order::forward;
    Softmax softmax = Softmax::quotient;
    Elu elu = Elu::exp;
    Causal causal = Causal::state;
    Shift shift = Shift::running;
    Keep keep = kept;
};

inline float sum_of(const Floats& a, const Way& way) {
    const auto run = [&](std::size_t from, std::size_t step) {
        float sum = 0;
        for (std::size_t i = from; i < a.size(); i += step) sum = way.keep(sum + a[i]);
        return sum;
    };
    if (way.order == Order::forward) return run(0, 1);
    if (way.order == Order::backward) {
        float sum = 0;
        for (std::size_t i = a.size(); i-- > 0;) sum = way.keep(sum + a[i]);
        return sum;
    }
    if (way.order == Order::lanes) {
        float sum = 0;
        for (std::size_t lane = 0; lane < 8; ++lane) sum = way.keep(sum + run(lane, 8));
        return sum;
    }
    Floats level = a;
    while (level.size() > 1) {
        Floats next;
        for (std::size_t i = 0; i < level.size(); i += 2)
            next.push_back(i + 1 < level.size() ? way.keep(level[i] + level[i + 1]) : level[i]);
        level = std::move(next);
    }
    return level.empty() ? 0 : level[0];
}

inline float dot(const float* a, const float* b, std::size_t n, const Way& way) {
    Floats terms;
    for (std::size_t d = 0; d < n; ++d) terms.push_back(a[d] * b[d]);
    return sum_of(terms, way);
}

struct Tensors {
    std::size_t H, L, D, Dv;
    Floats q, k, v, omega, e, f;
    std::int64_t window = 1;
    float eps = 0;

    explicit Tensors(const Problem& problem) {
        const auto read = [&](const char* name, Floats& to) {
            if (!problem.has(name)) return;
            for (const double x : problem.array(name).values()) to.push_back(static_cast<float>(x));
        };
        read("q", q), read("k", k), read("v", v), read("omega", omega), read("e", e), read("f", f);
        const Index& extents = problem.array("q").extents;
        H = static_cast<std::size_t>(extents[0]), L = static_cast<std::size_t>(extents[1]);
        D = static_cast<std::size_t>(extents[2]), Dv = static_cast<std::size_t>(problem.array("v").extents[2]);
        if (problem.has("window")) window = problem.integer("window");
        eps = static_cast<float>(problem.number_or("eps", 0));
    }
};

/// Softmax of q over n keys, times their values; keys and values row-major.
inline void attend(const float* q, const float* k, const float* v, std::size_t n, std::size_t D, std::size_t Dv,
                   const Way& way, float* out) {
    const bool two = way.softmax == Softmax::base_two;
    const float scale = (two ? 1.44269504f : 1.0f) / std::sqrt(static_cast<float>(D));
    const auto power = [&](float x) { return two ? std::exp2(x) : std::exp(x); };
    Floats s;
    for (std::size_t j = 0; j < n; ++j) s.push_back(scale * dot(q, k + j * D, D, way));
    if (way.softmax == Softmax::online) {
        float m = -std::numeric_limits<float>::infinity(), sum = 0;
        Floats o(Dv);
        for (std::size_t j = 0; j < n; ++j) {
            const float next = std::max(m, s[j]), shrink = std::exp(m - next), w = std::exp(s[j] - next);
            sum = way.keep(sum * shrink + w);
            for (std::size_t d = 0; d < Dv; ++d) o[d] = way.keep(o[d] * shrink + w * v[j * Dv + d]);
            m = next;
        }
        for (std::size_t d = 0; d < Dv; ++d) out[d] = o[d] / sum;
        return;
    }
    const float m = *std::max_element(s.begin(), s.end());
    Floats w;
    for (const float one : s) w.push_back(power(one - m));
    const float sum = sum_of(w, way);
    if (way.softmax == Softmax::less_log)
        for (std::size_t j = 0; j < n; ++j) w[j] = n == 1 ? 1.0f : std::exp(s[j] - (m + std::log(sum)));
    for (std::size_t d = 0; d < Dv; ++d) {
        Floats terms;
        for (std::size_t j = 0; j < n; ++j) terms.push_back(w[j] * v[j * Dv + d]);
        const float o = sum_of(terms, way);
        out[d] = way.softmax == Softmax::less_log ? o : way.softmax == Softmax::reciprocal ? o * (1 / sum) : o / sum;
    }
}

inline void slide(const Tensors& t, const Way& way, Floats& out) {
    for (std::size_t h = 0; h < t.H; ++h)
        for (std::size_t i = 0; i < t.L; ++i) {
            const std::size_t n = std::min(i + 1, static_cast<std::size_t>(t.window)), first = h * t.L + i + 1 - n;
            attend(&t.q[(h * t.L + i) * t.D], &t.k[first * t.D], &t.v[first * t.Dv], n, t.D, t.Dv, way,
                   &out[(h * t.L + i) * t.Dv]);
        }
}

inline void compress(const Tensors& t, const Way& way, Floats& out) {
    const std::size_t R = t.e.size() / t.L;
    const auto projected = [&](const Floats& by, const float* x, std::size_t width) {
        Floats rows;
        for (std::size_t r = 0; r < R; ++r)
            for (std::size_t d = 0; d < width; ++d) {
                Floats terms;
                for (std::size_t j = 0; j < t.L; ++j) terms.push_back(by[r * t.L + j] * x[j * width + d]);
                rows.push_back(sum_of(terms, way));
            }
        return rows;
    };
    for (std::size_t h = 0; h < t.H; ++h) {
        const Floats keys = projected(t.e, &t.k[h * t.L * t.D], t.D),
                     values = projected(t.f, &t.v[h * t.L * t.Dv], t.Dv);
        for (std::size_t i = 0; i < t.L; ++i)
            attend(&t.q[(h * t.L + i) * t.D], keys.data(), values.data(), R, t.D, t.Dv, way,
                   &out[(h * t.L + i) * t.Dv]);
    }
}

inline float elu_and_one(float x, Elu how) {
    if (x > 0) return x + 1;
    if (how == Elu::expm1) return std::expm1(x) + 1;
    return how == Elu::literal ? std::exp(x) - 1 + 1 : std::exp(x);
}

/// One head through features (L, M); grown[i] multiplies the state before token i is added.
inline void through(const Floats& fq, const Floats& fk, const Floats& grown, const float* v, std::size_t L,
                    std::size_t Dv, float eps, const Way& way, float* out) {
    const std::size_t M = fq.size() / L;
    if (way.causal == Causal::scores) { // features hold the final shift
        for (std::size_t i = 0; i < L; ++i) {
            Floats a;
            for (std::size_t j = 0; j <= i; ++j) a.push_back(dot(&fq[i * M], &fk[j * M], M, way));
            const float normaliser = sum_of(a, way) + eps;
            for (std::size_t d = 0; d < Dv; ++d) {
                Floats terms;
                for (std::size_t j = 0; j <= i; ++j) terms.push_back(a[j] * v[j * Dv + d]);
                out[i * Dv + d] = sum_of(terms, way) / normaliser;
            }
        }
        return;
    }
    const std::size_t chunk = way.causal == Causal::chunks ? 8 : 1, width = Dv + 1;
    Floats state(M * width);
    const auto value = [&](std::size_t j, std::size_t d) { return d == Dv ? 1.0f : v[j * Dv + d]; };
    for (std::size_t from = 0; from < L; from += chunk) {
        const std::size_t to = std::min(L, from + chunk);
        if (chunk == 1)
            for (std::size_t m = 0; m < M; ++m)
                for (std::size_t d = 0; d < width; ++d) {
                    float& at = state[m * width + d];
                    at = way.keep(at * grown[from] + fk[from * M + m] * value(from, d));
                }
        for (std::size_t i = from; i < to; ++i) {
            Floats sums;
            for (std::size_t d = 0; d < width; ++d) {
                Floats terms;
                for (std::size_t m = 0; m < M; ++m) terms.push_back(fq[i * M + m] * state[m * width + d]);
                for (std::size_t j = from; chunk > 1 && j <= i; ++j)
                    terms.push_back(dot(&fq[i * M], &fk[j * M], M, way) * value(j, d));
                sums.push_back(sum_of(terms, way));
            }
            const float share = 1 / (sums[Dv] + eps);
            for (std::size_t d = 0; d < Dv; ++d)
                out[i * Dv + d] = way.order == Order::forward ? sums[d] / (sums[Dv] + eps) : sums[d] * share;
        }
        for (std::size_t j = from; chunk > 1 && j < to; ++j)
            for (std::size_t m = 0; m < M; ++m)
                for (std::size_t d = 0; d < width; ++d) {
                    float& at = state[m * width + d];
                    at = way.keep(at + fk[j * M + m] * value(j, d));
                }
    }
}

inline void accumulate(const Tensors& t, const Way& way, Floats& out) {
    for (std::size_t h = 0; h < t.H; ++h) {
        Floats fq, fk;
        for (std::size_t at = h * t.L * t.D; at < (h + 1) * t.L * t.D; ++at) {
            fq.push_back(elu_and_one(t.q[at], way.elu));
            fk.push_back(elu_and_one(t.k[at], way.elu));
        }
        through(fq, fk, Floats(t.L, 1.0f), &t.v[h * t.L * t.Dv], t.L, t.Dv, t.eps, way, &out[h * t.L * t.Dv]);
    }
}

inline void featurise(const Tensors& t, const Way& way, Floats& out) {
    const std::size_t M = t.omega.size() / t.D;
    const float root = std::sqrt(std::sqrt(static_cast<float>(t.D)));
    const auto exponents = [&](const float* x) {
        Floats y(x, x + t.D), l;
        for (float& one : y) one /= root;
        const float norm = dot(y.data(), y.data(), t.D, way) / 2;
        for (std::size_t m = 0; m < M; ++m) l.push_back(dot(&t.omega[m * t.D], y.data(), t.D, way) - norm);
        return l;
    };
    for (std::size_t h = 0; h < t.H; ++h) {
        Floats fq, lk, fk, grown;
        for (std::size_t i = h * t.L; i < (h + 1) * t.L; ++i) {
            const Floats own = exponents(&t.q[i * t.D]), keys = exponents(&t.k[i * t.D]);
            const float top = *std::max_element(own.begin(), own.end());
            for (const float one : own) fq.push_back(std::exp(one - top));
            lk.insert(lk.end(), keys.begin(), keys.end());
        }
        float shift = way.shift == Shift::global || way.causal != Causal::state
                          ? *std::max_element(lk.begin(), lk.end())
                          : -std::numeric_limits<float>::infinity();
        for (std::size_t i = 0; i < t.L; ++i) {
            const float next = std::max(shift, *std::max_element(&lk[i * M], &lk[i * M] + M));
            grown.push_back(std::exp(shift - next));
            shift = next;
            for (std::size_t m = 0; m < M; ++m) fk.push_back(std::exp(lk[i * M + m] - shift));
        }
        through(fq, fk, grown, &t.v[h * t.L * t.Dv], t.L, t.Dv, 0, way, &out[h * t.L * t.Dv]);
    }
}

inline Floats run(const Problem& problem, const Way& way) {
    const Tensors t(problem);
    Floats out(t.v.size());
    if (problem.route == "sliding_window") slide(t, way, out);
    if (problem.route == "low_rank") compress(t, way, out);
    if (problem.route == "linear_attention") accumulate(t, way, out);
    if (problem.route == "random_features") featurise(t, way, out);
    return out;
}

} // namespace assay::long_attention_test

#endif
