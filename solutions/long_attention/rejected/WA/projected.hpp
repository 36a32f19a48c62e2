// The right half of the wrong attempts at low-rank attention: each step is a function of its own, so that one of them
// can be wrong.
#ifndef LONG_ATTENTION_PROJECTED_HPP
#define LONG_ATTENTION_PROJECTED_HPP

#include "contract.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace long_attention {

using Index = std::int64_t;

struct Projected {
    tensor<const float, 3> q, k, v;
    tensor<const float, 2> e, f;
    Index L, D, Dv, R;
    std::vector<float> keys, values; // (R, D) and (R, Dv) of one head

    Projected(tensor<const float, 3> q_, tensor<const float, 3> k_, tensor<const float, 3> v_,
              tensor<const float, 2> e_, tensor<const float, 2> f_)
        : q(q_), k(k_), v(v_), e(e_), f(f_), L(q_.extent(1)), D(q_.extent(2)), Dv(v_.extent(2)), R(e_.extent(0)) {}
    virtual ~Projected() = default;

    virtual float of_key(Index r, Index j) const { return e(r, j); }
    virtual float of_value(Index r, Index j) const { return f(r, j); }
    virtual tensor<const float, 3> keys_from() const { return k; }
    void project(Index h) {
        keys.assign(std::size_t(R * D), 0);
        values.assign(std::size_t(R * Dv), 0);
        for (Index r = 0; r < R; ++r)
            for (Index j = 0; j < L; ++j) {
                const float by_key = of_key(r, j), by_value = of_value(r, j);
                for (Index d = 0; d < D; ++d) keys[std::size_t(r * D + d)] += by_key * keys_from()(h, j, d);
                for (Index d = 0; d < Dv; ++d) values[std::size_t(r * Dv + d)] += by_value * v(h, j, d);
            }
    }

    virtual float scale() const { return 1 / std::sqrt(float(D)); }
    float logit(Index h, Index i, const float* key) const {
        float dot = 0;
        for (Index d = 0; d < D; ++d) dot += q(h, i, d) * key[d];
        return scale() * dot;
    }
    /// What is subtracted from every logit of the row.
    virtual float largest(const std::vector<float>& s) const { return *std::max_element(s.begin(), s.end()); }
    std::vector<float> softmax(std::vector<float> s) const {
        const float m = largest(s);
        float sum = 0;
        for (float& one : s) sum += one = std::exp(one - m);
        for (float& one : s) one /= sum;
        return s;
    }
    virtual Index end(Index) const { return R; } // of the projected keys that i attends
    /// Of the projected values.
    virtual std::vector<float> weights(Index h, Index i) const {
        std::vector<float> s;
        for (Index r = 0; r < end(i); ++r) s.push_back(logit(h, i, &keys[std::size_t(r * D)]));
        return softmax(s);
    }

    void run(tensor<float, 3> out) {
        for (Index h = 0; h < q.extent(0); ++h) {
            project(h);
            for (Index i = 0; i < L; ++i) {
                const std::vector<float> p = weights(h, i);
                for (Index d = 0; d < Dv; ++d) {
                    float o = 0;
                    for (std::size_t r = 0; r < p.size(); ++r) o += p[r] * values[r * std::size_t(Dv) + std::size_t(d)];
                    out(h, i, d) = o;
                }
            }
        }
    }
};

} // namespace long_attention

/// Defines the contract's function by a struct that derives from Projected.
#define LOW_RANK_BY(Mistaken)                                                                                          \
    namespace long_attention {                                                                                         \
    void low_rank(tensor<const float, 3> q, tensor<const float, 3> k, tensor<const float, 3> v,                        \
                  tensor<const float, 2> e, tensor<const float, 2> f, tensor<float, 3> out) {                          \
        Mistaken(q, k, v, e, f).run(out);                                                                              \
    }                                                                                                                  \
    } // namespace long_attention

#endif
