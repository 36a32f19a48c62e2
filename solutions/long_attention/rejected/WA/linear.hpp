// The right half of the wrong attempts at linear attention: each step of the running state is a function of its own, so
// that one of them can be wrong.
#ifndef LONG_ATTENTION_LINEAR_HPP
#define LONG_ATTENTION_LINEAR_HPP

#include "contract.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace long_attention {

using Index = std::int64_t;

struct Linear {
    tensor<const float, 3> q, k, v;
    float eps;
    tensor<float, 3> out;
    Index H, L, D, Dv;
    std::vector<float> S, z; // the sums of f(k) v (D, Dv) and of f(k) (D)

    Linear(tensor<const float, 3> q_, tensor<const float, 3> k_, tensor<const float, 3> v_, float eps_,
           tensor<float, 3> out_)
        : q(q_), k(k_), v(v_), eps(eps_), out(out_), H(q_.extent(0)), L(q_.extent(1)), D(q_.extent(2)),
          Dv(v_.extent(2)), S(std::size_t(D * Dv)), z(static_cast<std::size_t>(D)) {}
    virtual ~Linear() = default;

    virtual float feature(float x) const { return x > 0 ? x + 1 : std::exp(x); }
    virtual float of_key(float x) const { return feature(x); }
    virtual float of_query(float x) const { return feature(x); }

    virtual void clear() {
        std::fill(S.begin(), S.end(), 0.0f);
        std::fill(z.begin(), z.end(), 0.0f);
    }
    void add(Index h, Index i) {
        for (Index d = 0; d < D; ++d) {
            const float f = of_key(k(h, i, d));
            z[std::size_t(d)] += f;
            for (Index c = 0; c < Dv; ++c) S[std::size_t(d * Dv + c)] += f * v(h, i, c);
        }
    }

    virtual float state(Index d, Index c) const { return S[std::size_t(d * Dv + c)]; }
    /// f(q)·z, of the features of one query.
    float over_keys(const std::vector<float>& f) const {
        float sum = 0;
        for (std::size_t d = 0; d < f.size(); ++d) sum += f[d] * z[d];
        return sum;
    }
    virtual float normaliser(const std::vector<float>& f, Index) const { return over_keys(f) + eps; }
    virtual float normalised(float sum, float by) const { return sum / by; }
    void read(Index h, Index i) const {
        std::vector<float> f;
        for (Index d = 0; d < D; ++d) f.push_back(of_query(q(h, i, d)));
        const float by = normaliser(f, i);
        for (Index c = 0; c < Dv; ++c) {
            float sum = 0;
            for (Index d = 0; d < D; ++d) sum += f[std::size_t(d)] * state(d, c);
            out(h, i, c) = normalised(sum, by);
        }
    }

    virtual void head(Index h) {
        clear();
        for (Index i = 0; i < L; ++i) {
            add(h, i);
            read(h, i);
        }
    }
    virtual void run() {
        for (Index h = 0; h < H; ++h) head(h);
    }
};

} // namespace long_attention

/// Defines the contract's function by a struct that derives from Linear.
#define LINEAR_BY(Mistaken)                                                                                            \
    namespace long_attention {                                                                                         \
    void linear_attention(tensor<const float, 3> q, tensor<const float, 3> k, tensor<const float, 3> v, float eps,     \
                          tensor<float, 3> out) {                                                                      \
        Mistaken(q, k, v, eps, out).run();                                                                             \
    }                                                                                                                  \
    } // namespace long_attention

#endif
