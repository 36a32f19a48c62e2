// The right half of the wrong attempts at a sliding window: each step of the softmax over some keys is a function of
// its own, so that one of them can be wrong.
#ifndef LONG_ATTENTION_WINDOW_HPP
#define LONG_ATTENTION_WINDOW_HPP

#include "contract.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace long_attention {

using Index = std::int64_t;

struct Window {
    tensor<const float, 3> q, k, v;
    Index L, D, Dv, w;

    Window(tensor<const float, 3> q_, tensor<const float, 3> k_, tensor<const float, 3> v_, Index window)
        : q(q_), k(k_), v(v_), L(q_.extent(1)), D(q_.extent(2)), Dv(v_.extent(2)), w(std::min(window, L)) {}
    virtual ~Window() = default;

    virtual Index low(Index i) const { return std::max<Index>(i - w + 1, 0); }
    virtual Index high(Index i) const { return i; }
    virtual std::vector<Index> keys(Index i) const {
        std::vector<Index> all;
        for (Index j = low(i); j <= high(i); ++j) all.push_back(j);
        return all;
    }

    virtual float scale() const { return 1 / std::sqrt(float(D)); }
    virtual float logit(Index h, Index i, Index j) const {
        float dot = 0;
        for (Index d = 0; d < D; ++d) dot += q(h, i, d) * k(h, j, d);
        return scale() * dot;
    }
    /// What is subtracted from every logit of the row.
    virtual float largest(Index, Index, const std::vector<float>& logits) const {
        return logits.empty() ? -HUGE_VALF : *std::max_element(logits.begin(), logits.end());
    }
    /// Not normalised, one a key.
    virtual std::vector<float> weights(Index h, Index i, const std::vector<Index>& of) const {
        std::vector<float> s;
        for (Index j : of) s.push_back(logit(h, i, j));
        const float m = largest(h, i, s);
        for (float& one : s) one = std::exp(one - m);
        return s;
    }
    virtual bool adds(Index, Index) const { return true; } // whether i takes the value of j, which has a weight
    virtual float normalised(float o, float sum) const { return o / sum; }

    std::vector<float> attend(Index h, Index i, const std::vector<Index>& of) const {
        const std::vector<float> s = weights(h, i, of);
        std::vector<float> o(static_cast<std::size_t>(Dv));
        float sum = 0;
        for (std::size_t t = 0; t < of.size(); ++t) {
            sum += s[t];
            for (Index d = 0; d < Dv && adds(i, of[t]); ++d) o[std::size_t(d)] += s[t] * v(h, of[t], d);
        }
        for (float& one : o) one = normalised(one, sum);
        return o;
    }
    virtual std::vector<float> row(Index h, Index i) const { return attend(h, i, keys(i)); }

    void run(tensor<float, 3> out) const {
        for (Index h = 0; h < q.extent(0); ++h)
            for (Index i = 0; i < L; ++i) {
                const std::vector<float> o = row(h, i);
                for (Index d = 0; d < Dv; ++d) out(h, i, d) = o[std::size_t(d)];
            }
    }
};

} // namespace long_attention

/// Defines the contract's function by a struct that derives from Window.
#define WINDOW_BY(Mistaken)                                                                                            \
    namespace long_attention {                                                                                         \
    void sliding_window(tensor<const float, 3> q, tensor<const float, 3> k, tensor<const float, 3> v,                  \
                        std::int64_t window, tensor<float, 3> out) {                                                   \
        Mistaken(q, k, v, window).run(out);                                                                            \
    }                                                                                                                  \
    } // namespace long_attention

#endif
