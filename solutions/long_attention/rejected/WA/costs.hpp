// The right half of the wrong attempts at the costs: what each method counts is a function of its own, so that one of
// them can be wrong.
#ifndef LONG_ATTENTION_COSTS_HPP
#define LONG_ATTENTION_COSTS_HPP

#include "contract.hpp"

#include <algorithm>

namespace long_attention {

/// Of one head. Elements are numbers moved, live those that are there at once.
struct Head {
    double pairs = 0, prepare = 0, scores = 0, values = 0, exps = 0, elements = 0, live = 0;
};

struct Costs {
    setup s{};
    double L = 0, H = 0, D = 0;

    virtual ~Costs() = default;

    virtual bool in_range(method how) const {
        return std::min({s.tokens, s.heads, s.head_dim, s.element_bytes}) >= 1 &&
               (how != method::blockwise || (s.block >= 1 && s.tokens % s.block == 0)) &&
               (how != method::window || s.window >= 1) && (how != method::low_rank || s.rank >= 1) &&
               (how != method::random_features || s.features >= 1);
    }
    virtual double multiply_add() const { return 2; } // FLOPs

    virtual double square() const { return L * L; }
    virtual double naive_pairs() const { return square(); }
    virtual Head naive() const {
        Head c;
        c.pairs = c.exps = naive_pairs();
        c.elements = 4 * L * D + 4 * square();
        c.live = 2 * square();
        return c;
    }

    virtual double blocks(double n) const { return n * (n + 1) / 2; } // of n a side
    virtual double block_pairs(double B) const { return blocks(L / B) * B * B; }
    virtual Head blockwise() const {
        const double B = double(s.block), rescaled = blocks(L / B) * B;
        Head c;
        c.pairs = block_pairs(B);
        c.exps = c.pairs + rescaled;
        c.elements = 2 * L * D + 2 * D * rescaled;
        c.live = B * B + B * D + 2 * B;
        return c;
    }

    virtual double width() const { return std::min(double(s.window), L); }
    virtual double window_pairs(double w) const { return w * L - w * (w - 1) / 2; }
    virtual Head window() const {
        Head c;
        c.pairs = c.exps = window_pairs(width());
        c.elements = 4 * L * D;
        c.live = width() * (2 * D + 1);
        return c;
    }

    virtual Head low_rank() const {
        const double r = double(s.rank);
        Head c;
        c.pairs = c.exps = L * r;
        c.prepare = 2 * multiply_add() * L * r * D;
        c.elements = 4 * L * D + 2 * L * r + 4 * r * D;
        c.live = 2 * r * D + r;
        return c;
    }

    /// Linear attention with m features.
    virtual Head linear(double m) const {
        Head c;
        c.scores = L * (multiply_add() * m * D + m);
        c.values = L * (multiply_add() * m * D + multiply_add() * m);
        c.exps = 2 * L * m;
        c.elements = 4 * L * D;
        c.live = m * D + m + 2 * m;
        return c;
    }
    virtual double elu_features() const { return D; }
    virtual Head random_features() const {
        const double m = double(s.features);
        Head c = linear(m);
        c.prepare = 2 * L * multiply_add() * (D * m + D);
        c.elements += m * D;
        return c;
    }

    virtual Head head(method how) const {
        if (how == method::linear) return linear(elu_features());
        if (how == method::random_features) return random_features();
        Head c = how == method::naive       ? naive()
                 : how == method::blockwise ? blockwise()
                 : how == method::window    ? window()
                                            : low_rank();
        c.scores = c.values = multiply_add() * D * c.pairs;
        return c;
    }

    virtual double heads() const { return H; }
    virtual double element_bytes() const { return double(s.element_bytes); }
    virtual double flops(const cost& c) const { return c.flops_prepare + c.flops_scores + c.flops_values; }

    cost all(method how) const {
        cost c;
        if (!in_range(how)) return c;
        const Head one = head(how);
        c.pairs = heads() * one.pairs;
        c.flops_prepare = heads() * one.prepare;
        c.flops_scores = heads() * one.scores;
        c.flops_values = heads() * one.values;
        c.exps = heads() * one.exps;
        c.flops = flops(c);
        c.bytes = heads() * element_bytes() * one.elements;
        c.peak = heads() * element_bytes() * one.live;
        c.intensity = c.flops / c.bytes;
        return c;
    }
};

} // namespace long_attention

/// Defines the contract's function by a struct that derives from Costs.
#define COST_BY(Mistaken)                                                                                              \
    namespace long_attention {                                                                                         \
    cost cost_of(method how, setup layer) {                                                                            \
        Mistaken costs;                                                                                                \
        costs.s = layer;                                                                                               \
        costs.L = double(layer.tokens);                                                                                \
        costs.H = double(layer.heads);                                                                                 \
        costs.D = double(layer.head_dim);                                                                              \
        return costs.all(how);                                                                                         \
    }                                                                                                                  \
    } // namespace long_attention

#endif
