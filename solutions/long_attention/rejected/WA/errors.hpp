// The right half of the wrong attempts at the error of a window with global tokens: each step is a function of its own,
// so that one of them can be wrong.
#ifndef LONG_ATTENTION_ERRORS_HPP
#define LONG_ATTENTION_ERRORS_HPP

#include "contract.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace long_attention {

using Index = std::int64_t;
using Weights = std::vector<double>; // they sum to 1
using Keys = std::vector<Index>;

struct Errors {
    tensor<const double, 3> q, k, v;
    Index H, L, D, Dv, w, g;
    double apart = 0, norm = 0; // over all elements

    Errors(tensor<const double, 3> q_, tensor<const double, 3> k_, tensor<const double, 3> v_, Index window,
           Index globals)
        : q(q_), k(k_), v(v_), H(q_.extent(0)), L(q_.extent(1)), D(q_.extent(2)), Dv(v_.extent(2)),
          w(std::min(window, L)), g(std::min(globals, L)) {}
    virtual ~Errors() = default;

    static void append(Keys& keys, Index first, Index end) {
        for (Index j = first; j < end; ++j) keys.push_back(j);
    }
    virtual Index exact_end(Index i) const { return i + 1; }
    Index low(Index i) const { return std::max<Index>(i - w + 1, 0); }
    virtual Index front(Index i) const { return std::min(g, low(i)); } // global keys beside the window

    Weights softmax(Index h, Index i, const Keys& keys) const {
        Weights s;
        for (Index j : keys) {
            double dot = 0;
            for (Index d = 0; d < D; ++d) dot += q(h, i, d) * k(h, j, d);
            s.push_back(dot / std::sqrt(double(D)));
        }
        const double m = *std::max_element(s.begin(), s.end());
        for (double& one : s) one = std::exp(one - m);
        const double sum = std::accumulate(s.begin(), s.end(), 0.0);
        for (double& one : s) one /= sum;
        return s;
    }
    virtual Weights approximate(Index h, Index i, const Keys& kept, const Weights&) const {
        return softmax(h, i, kept);
    }
    double output(Index h, Index d, const Keys& keys, const Weights& p) const {
        double sum = 0;
        for (std::size_t t = 0; t < keys.size(); ++t) sum += p[t] * v(h, keys[t], d);
        return sum;
    }

    virtual double mass(const Keys& kept, const Weights& exact, const Weights&) const {
        double sum = 0;
        for (Index j : kept) sum += exact[std::size_t(j)];
        return sum;
    }
    virtual double larger(double so_far, double difference) const { return std::max(so_far, std::fabs(difference)); }
    virtual double reference(double exact, double) const { return exact; } // what an error is relative to
    virtual void add_row(double row_apart, double row_norm) {
        apart += row_apart;
        norm += row_norm;
    }
    virtual double pairs_kept(double counted) const { return counted; }
    virtual double flops_of_pair() const { return 2 * double(D + Dv); }
    virtual double relative() const { return std::sqrt(apart / norm); }

    comparison all() {
        comparison c;
        c.pairs_exact = c.pairs_kept = c.mean_mass = c.max_error = 0;
        c.least_mass = 1;
        for (Index h = 0; h < H; ++h)
            for (Index i = 0; i < L; ++i) {
                Keys every, kept;
                append(every, 0, exact_end(i));
                append(kept, 0, front(i));
                append(kept, low(i), i + 1);
                c.pairs_exact += double(every.size());
                c.pairs_kept += double(kept.size());
                const Weights exact = softmax(h, i, every), near = approximate(h, i, kept, exact);
                const double on_kept = mass(kept, exact, near);
                c.mean_mass += on_kept / double(H * L);
                c.least_mass = std::min(c.least_mass, on_kept);
                double row_apart = 0, row_norm = 0;
                for (Index d = 0; d < Dv; ++d) {
                    const double e = output(h, d, every, exact), a = output(h, d, kept, near);
                    c.max_error = larger(c.max_error, a - e);
                    row_apart += (a - e) * (a - e);
                    row_norm += reference(e, a) * reference(e, a);
                }
                add_row(row_apart, row_norm);
            }
        c.pairs_kept = pairs_kept(c.pairs_kept);
        c.share = c.pairs_kept / c.pairs_exact;
        c.flops_saved = flops_of_pair() * (c.pairs_exact - c.pairs_kept);
        c.relative_error = relative();
        return c;
    }
};

} // namespace long_attention

/// Defines the contract's function by a struct that derives from Errors.
#define COMPARE_BY(Mistaken)                                                                                           \
    namespace long_attention {                                                                                         \
    comparison compare(tensor<const double, 3> q, tensor<const double, 3> k, tensor<const double, 3> v,                \
                       std::int64_t window, std::int64_t globals) {                                                    \
        return Mistaken(q, k, v, window, globals).all();                                                               \
    }                                                                                                                  \
    } // namespace long_attention

#endif
