// The right half of the wrong gradients: each step is a function of its own, so that one of them can be wrong.
#ifndef SDPA_BACKWARD_HPP
#define SDPA_BACKWARD_HPP

#include "contract.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace sdpa {

using Index = std::ptrdiff_t;
constexpr float infinity = std::numeric_limits<float>::infinity();

struct Backward {
    tensor<const float, 4> q, k, v;
    optional<tensor<const bool, 4>> mask;
    bool causal;
    optional<float> scale;
    tensor<const float, 4> dout;
    tensor<float, 4> dq, dk, dv;
    Index b = 0, h = 0;           // the head at hand, and of it
    std::vector<float> P, dP, dS; // (Lq, Lk)
    std::vector<float> totals;    // (Lq), of the weights before they are divided
    virtual ~Backward() = default;

    Index Hq() const { return q.extent(1); }
    Index Hkv() const { return k.extent(1); }
    Index Lq() const { return q.extent(2); }
    Index Lk() const { return k.extent(2); }
    Index D() const { return q.extent(3); }
    Index Dv() const { return v.extent(3); }
    Index at(Index i, Index j) const { return i * Lk() + j; }
    bool first_of_group() const { return h % (Hq() / Hkv()) == 0; }

    virtual float q_at(Index i, Index d) const { return q(b, h, i, d); }
    virtual float k_at(Index j, Index d) const { return k(b, kv(), j, d); }
    virtual float v_at(Index j, Index d) const { return v(b, kv(), j, d); }
    virtual float dout_at(Index i, Index d) const { return dout(b, h, i, d); }
    virtual Index kv() const { return h / (Hq() / Hkv()); }
    virtual float factor() const { return scale.value_or(1.0f / std::sqrt(static_cast<float>(D()))); }

    virtual Index last(Index i) const { return i + Lk() - Lq(); } // key that query i may attend, by causality
    virtual bool unmasked(Index i, Index j) const {
        if (!mask) return true;
        const auto& m = *mask;
        return m(b % m.extent(0), h % m.extent(1), i % m.extent(2), j % m.extent(3));
    }
    virtual bool may_attend(Index i, Index j) const { return !(causal && j > last(i)) && unmasked(i, j); }

    /// P and dP of a row.
    float logit(Index i, Index j) const {
        float dot = 0;
        for (Index d = 0; d < D(); ++d) dot += q_at(i, d) * k_at(j, d);
        return factor() * dot;
    }
    virtual bool has_dp(Index i, Index j) const { return may_attend(i, j); }
    virtual float hidden() const { return -infinity; } // the logit of what may not be attended
    virtual float weight(float logit, float top) const { return logit == -infinity ? 0.0f : std::exp(logit - top); }
    virtual void divide(Index i) {
        for (Index j = 0; j < Lk(); ++j)
            if (totals[i] > 0) P[at(i, j)] /= totals[i];
    }
    void weigh(Index i) {
        float top = -infinity;
        for (Index j = 0; j < Lk(); ++j) {
            P[at(i, j)] = may_attend(i, j) ? logit(i, j) : hidden();
            top = std::max(top, P[at(i, j)]);
            for (Index d = 0; d < Dv() && has_dp(i, j); ++d) dP[at(i, j)] += dout_at(i, d) * v_at(j, d);
        }
        for (Index j = 0; j < Lk(); ++j) totals[i] += P[at(i, j)] = weight(P[at(i, j)], top);
        divide(i);
    }

    /// dS of a row.
    virtual float delta(Index i) const {
        float sum = 0;
        for (Index j = 0; j < Lk(); ++j) sum += P[at(i, j)] * dP[at(i, j)];
        return sum;
    }
    virtual float ds(Index i, Index j, float delta) const { return P[at(i, j)] * (dP[at(i, j)] - delta); }

    virtual float scale_of_dq() const { return factor(); }
    virtual float scale_of_dk() const { return factor(); }
    virtual float ds_for_dk(Index i, Index j) const { return dS[at(i, j)]; }
    virtual float p_for_dv(Index i, Index j) const { return P[at(i, j)]; }
    virtual void add_dq(Index i, Index j) {
        for (Index d = 0; d < D(); ++d) dq(b, h, i, d) += scale_of_dq() * dS[at(i, j)] * k_at(j, d);
    }
    virtual void add_dk(Index i, Index j) {
        for (Index d = 0; d < D(); ++d) dk(b, kv(), j, d) += scale_of_dk() * ds_for_dk(i, j) * q_at(i, d);
    }
    virtual void add_dv(Index i, Index j) {
        for (Index d = 0; d < Dv(); ++d) dv(b, kv(), j, d) += p_for_dv(i, j) * dout_at(i, d);
    }
    virtual bool adds(Index, Index) { return true; } // whether query i and key j add anything

    static void fill_with_zeros(tensor<float, 4> x) {
        for (Index b = 0; b < x.extent(0); ++b)
            for (Index h = 0; h < x.extent(1); ++h)
                for (Index i = 0; i < x.extent(2); ++i)
                    for (Index d = 0; d < x.extent(3); ++d) x(b, h, i, d) = 0;
    }
    virtual void begin() {
        fill_with_zeros(dq);
        fill_with_zeros(dk);
        fill_with_zeros(dv);
    }
    virtual void begin_head() {}

    void run() {
        begin();
        for (b = 0; b < q.extent(0); ++b)
            for (h = 0; h < Hq(); ++h) head();
    }
    void head() {
        begin_head();
        P.assign(Lq() * Lk(), 0.0f);
        dP = dS = P;
        totals.assign(Lq(), 0.0f);
        for (Index i = 0; i < Lq(); ++i) weigh(i);
        for (Index i = 0; i < Lq(); ++i) {
            const float of_row = delta(i);
            for (Index j = 0; j < Lk(); ++j) dS[at(i, j)] = ds(i, j, of_row);
        }
        for (Index i = 0; i < Lq(); ++i)
            for (Index j = 0; j < Lk(); ++j) {
                if (!adds(i, j)) continue;
                add_dq(i, j);
                add_dk(i, j);
                add_dv(i, j);
            }
    }
};

} // namespace sdpa

/// Defines the contract's function by a struct that derives from Backward.
#define BACKWARD_BY(Mistaken)                                                                                          \
    namespace sdpa {                                                                                                   \
    void attention_backward(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,              \
                            optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale,                  \
                            tensor<const float, 4> dout, tensor<float, 4> dq, tensor<float, 4> dk,                     \
                            tensor<float, 4> dv) {                                                                     \
        Mistaken steps;                                                                                                \
        steps.q = q;                                                                                                   \
        steps.k = k;                                                                                                   \
        steps.v = v;                                                                                                   \
        steps.mask = mask;                                                                                             \
        steps.causal = causal;                                                                                         \
        steps.scale = scale;                                                                                           \
        steps.dout = dout;                                                                                             \
        steps.dq = dq;                                                                                                 \
        steps.dk = dk;                                                                                                 \
        steps.dv = dv;                                                                                                 \
        steps.run();                                                                                                   \
    }                                                                                                                  \
    } // namespace sdpa

#endif
