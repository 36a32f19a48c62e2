// The right half of the wrong attempts at random features: each step of the features and of the running state is a
// function of its own, so that one of them can be wrong.
#ifndef LONG_ATTENTION_RANDOM_HPP
#define LONG_ATTENTION_RANDOM_HPP

#include "contract.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace long_attention {

using Index = std::int64_t;

struct Random {
    tensor<const float, 3> q, k, v;
    tensor<const float, 2> omega;
    tensor<float, 3> out;
    Index L, D, Dv, M;
    float top = 0;           // the largest exponent of a head's keys
    std::vector<float> S, z; // the sums of f(k) v (M, Dv) and of f(k) (M)

    Random(tensor<const float, 3> q_, tensor<const float, 3> k_, tensor<const float, 3> v_,
           tensor<const float, 2> omega_, tensor<float, 3> out_)
        : q(q_), k(k_), v(v_), omega(omega_), out(out_), L(q_.extent(1)), D(q_.extent(2)), Dv(v_.extent(2)),
          M(omega_.extent(0)) {}
    virtual ~Random() = default;

    virtual float temperature() const { return std::pow(float(D), 0.25f); }
    virtual float exponent(float dot, float norm) const { return dot - norm / 2; }
    std::vector<float> exponents(tensor<const float, 3> x, Index h, Index i) const {
        std::vector<float> y, l;
        float norm = 0;
        for (Index d = 0; d < D; ++d) {
            y.push_back(x(h, i, d) / temperature());
            norm += y.back() * y.back();
        }
        for (Index m = 0; m < M; ++m) {
            float dot = 0;
            for (Index d = 0; d < D; ++d) dot += omega(m, d) * y[std::size_t(d)];
            l.push_back(exponent(dot, norm));
        }
        return l;
    }

    /// What is subtracted from the exponents of one key, and of one query.
    virtual float key_shift(const std::vector<float>&) const { return top; }
    virtual float query_shift(const std::vector<float>& l) const { return *std::max_element(l.begin(), l.end()); }
    static std::vector<float> features(std::vector<float> l, float shift) {
        for (float& one : l) one = std::exp(one - shift);
        return l;
    }

    void clear(Index h) {
        S.assign(std::size_t(M * Dv), 0);
        z.assign(std::size_t(M), 0);
        top = -HUGE_VALF;
        for (Index i = 0; i < L; ++i)
            for (float one : exponents(k, h, i)) top = std::max(top, one);
    }
    void add(Index h, Index i) {
        const std::vector<float> l = exponents(k, h, i), f = features(l, key_shift(l));
        for (std::size_t m = 0; m < f.size(); ++m) {
            z[m] += f[m];
            for (Index c = 0; c < Dv; ++c) S[m * std::size_t(Dv) + std::size_t(c)] += f[m] * v(h, i, c);
        }
    }
    void read(Index h, Index i) const {
        const std::vector<float> l = exponents(q, h, i), f = features(l, query_shift(l));
        float normaliser = 0;
        for (std::size_t m = 0; m < f.size(); ++m) normaliser += f[m] * z[m];
        for (Index c = 0; c < Dv; ++c) {
            float sum = 0;
            for (std::size_t m = 0; m < f.size(); ++m) sum += f[m] * S[m * std::size_t(Dv) + std::size_t(c)];
            out(h, i, c) = sum / normaliser;
        }
    }
    virtual void head(Index h) {
        clear(h);
        for (Index i = 0; i < L; ++i) {
            add(h, i);
            read(h, i);
        }
    }
    void run() {
        for (Index h = 0; h < q.extent(0); ++h) head(h);
    }
};

} // namespace long_attention

/// Defines the contract's function by a struct that derives from Random.
#define RANDOM_FEATURES_BY(Mistaken)                                                                                   \
    namespace long_attention {                                                                                         \
    void random_features(tensor<const float, 3> q, tensor<const float, 3> k, tensor<const float, 3> v,                 \
                         tensor<const float, 2> omega, tensor<float, 3> out) {                                         \
        Mistaken(q, k, v, omega, out).run();                                                                           \
    }                                                                                                                  \
    } // namespace long_attention

#endif
