// Attention with the bugs of the hunt sdpa, written otherwise than its template: what a candidate would have who
// rewrote the file and took bugs over. Elements are gathered into dense arrays, scores are a whole matrix a head.
#ifndef ASSAY_TESTS_HUNT_SDPA_OTHERWISE_HPP
#define ASSAY_TESTS_HUNT_SDPA_OTHERWISE_HPP

#include "core/problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

namespace sdpa_otherwise {

using namespace assay;
using Bugs = std::set<std::string>;

/// How a program of this kind computes: `Real` is what it computes in; sums run backwards or by halves.
template <class T, bool fold, bool exp2, bool normalise_first, bool by_halves> struct Style {
    using Real = T;
    static constexpr bool fold_scale = fold;              // into q, before the dot product
    static constexpr bool use_exp2 = exp2;                // of logits times 1/ln 2
    static constexpr bool shares_first = normalise_first; // weights divided before they meet v
    static constexpr bool halves = by_halves;
};

using Folded = Style<float, true, false, true, false>;
using Halves = Style<float, false, true, false, true>;
using FoldedExp2 = Style<float, true, true, true, true>;
using Wide = Style<double, false, false, false, false>; // as a program in Python is

template <class S> class Attention {
    using Real = typename S::Real;
    static constexpr Real infinity = std::numeric_limits<Real>::infinity();

  public:
    Attention(const Problem& problem, const Bugs& bugs)
        : problem_(problem), bugs_(bugs), q_(problem.array("q")), k_(problem.array("k")), v_(problem.array("v")),
          Hq_(q_.extents[1]), Lq_(q_.extents[2]), D_(q_.extents[3]), Hkv_(k_.extents[1]), Lk_(k_.extents[2]),
          Dv_(v_.extents[3]) {}

    Outputs run() {
        Array out = Array::zeros(Dtype::f32, problem_.array("out").extents);
        Real running = -infinity;
        for (std::int64_t b = 0; b < q_.extents[0]; ++b)
            for (std::int64_t h = 0; h < Hq_; ++h)
                for (std::int64_t i = 0; i < Lq_; ++i) {
                    const std::vector<Real> row = row_of(b, h, i, running);
                    for (std::int64_t d = 0; d < Dv_; ++d)
                        out.set(Index{b, h, i, d}, static_cast<double>(row[static_cast<std::size_t>(d)]));
                }
        Outputs outputs;
        outputs.arrays.emplace_back("out", out);
        return outputs;
    }

  private:
    bool has(const char* bug) const { return bugs_.count(bug) == 1; }

    Real factor() const {
        const auto root = [](std::int64_t n) { return Real(1) / std::sqrt(static_cast<Real>(n)); };
        Real factor = root(D_);
        if (has("scale-by-d")) factor = Real(1) / static_cast<Real>(D_);
        if (has("scale-by-model-width")) factor = root(Hq_ * D_);
        if (has("scale-by-value-width")) factor = root(Dv_);
        const auto given = static_cast<Real>(static_cast<float>(problem_.number_or("scale", 0)));
        if (problem_.has("scale") && !(given == 0 && has("zero-scale-as-absent"))) factor = given;
        const int times = 1 + (has("scale-twice") ? 1 : 0) - (has("scale-missing") ? 1 : 0);
        return times == 0 ? Real(1) : times == 1 ? factor : factor * factor;
    }

    static double element(const Array& array, std::int64_t b, std::int64_t h, std::int64_t row, std::int64_t d,
                          bool adjacent) {
        const std::int64_t first = array.offset + b * array.strides[0] + h * array.strides[1] + row * array.strides[2];
        return array.stored(first + d * (adjacent ? 1 : array.strides[3]));
    }

    bool masked_in(std::int64_t b, std::int64_t h, std::int64_t kv, std::int64_t i, std::int64_t j) const {
        const Array& mask = problem_.array("mask");
        Index at{b, has("mask-by-kv-head") ? kv : h, i, j};
        if (has("mask-batch-as-head")) std::swap(at[0], at[1]);
        if (has("mask-key-as-query")) std::swap(at[2], at[3]);
        for (std::size_t axis = 0; axis < 4; ++axis) at[axis] %= mask.extents[axis];
        return (mask.at(at) != 0) != has("mask-inverted");
    }

    bool may(std::int64_t b, std::int64_t h, std::int64_t kv, std::int64_t i, std::int64_t j) const {
        const bool mask = !problem_.has("mask") || masked_in(b, h, kv, i, j);
        const std::int64_t last = has("causal-top-left") ? i : i + Lk_ - Lq_ - (has("causal-strict") ? 1 : 0);
        const bool causal = !problem_.flag("causal") || j <= last;
        if (has("mask-or-causal")) return mask || causal;
        if (has("causal-dropped-under-mask") && problem_.has("mask")) return mask;
        return mask && causal;
    }

    static Real sum(const std::vector<Real>& terms, std::size_t from, std::size_t to) {
        if (!S::halves) {
            Real total = 0;
            for (std::size_t n = to; n-- > from;) total += terms[n];
            return total;
        }
        if (to - from < 2) return to == from ? Real(0) : terms[from];
        return sum(terms, from, from + (to - from) / 2) + sum(terms, from + (to - from) / 2, to);
    }
    static Real sum(const std::vector<Real>& terms) { return sum(terms, 0, terms.size()); }

    Real logit(std::int64_t b, std::int64_t h, std::int64_t kv, std::int64_t i, std::int64_t j) const {
        const Real scale = factor();
        std::vector<Real> products;
        for (std::int64_t d = 0; d < (has("odd-feature-dropped") ? D_ / 2 * 2 : D_); ++d) {
            auto q = static_cast<Real>(element(q_, b, h, i, d, has("strides-ignored")));
            if (S::fold_scale) q *= scale;
            products.push_back(q * static_cast<Real>(element(k_, b, kv, j, d, has("strides-ignored"))));
        }
        return S::fold_scale ? sum(products) : scale * sum(products);
    }

    static Real exponential(Real x) {
        if constexpr (std::is_same_v<Real, double>) return x > 88.7228 ? infinity : x < -103.972 ? 0 : std::exp(x);
        return S::use_exp2 ? std::exp2(x * Real(1.4426950408889634)) : std::exp(x);
    }

    std::vector<Real> row_of(std::int64_t b, std::int64_t h, std::int64_t i, Real& running) const {
        const std::int64_t kv = has("gqa-tiled") ? h % Hkv_ : h / (Hq_ / Hkv_);
        std::vector<Real> raw, seen;
        std::vector<char> allowed;
        for (std::int64_t j = 0; j < Lk_; ++j) {
            raw.push_back(logit(b, h, kv, i, j));
            allowed.push_back(may(b, h, kv, i, j) ? 1 : 0);
            const Real hidden = has("mask-after-softmax") ? raw.back()
                                : has("sentinel-1e4")     ? Real(-1e4)
                                : has("sentinel-1e9")     ? Real(-1e9)
                                                          : -infinity;
            seen.push_back(allowed.back() != 0 ? raw.back() : hidden);
        }
        Real max = has("max-not-reset") ? running : has("max-from-zero") ? Real(0) : -infinity;
        for (const Real s : has("max-over-masked") ? raw : seen) max = std::max(max, s);
        running = max;
        std::vector<Real> out(static_cast<std::size_t>(Dv_), Real(0));
        const bool none = std::count(allowed.begin(), allowed.end(), 1) == 0;
        if (has("empty-row-nan") ? Lk_ == 0 : none) return out;

        std::vector<Real> weights;
        for (const Real s : seen) weights.push_back(exponential(has("no-max-subtraction") ? s : s - max));
        Real total = sum(weights);
        if (has("first-weight-twice")) total += weights.front();
        if (S::shares_first && !none)
            for (Real& weight : weights) weight /= total;
        for (std::int64_t d = 0; d < Dv_; ++d) {
            std::vector<Real> products;
            for (std::int64_t j = 0; j < Lk_; ++j)
                if (allowed[static_cast<std::size_t>(j)] != 0)
                    products.push_back(weights[static_cast<std::size_t>(j)] *
                                       static_cast<Real>(element(v_, b, kv, j, d, has("value-strides-ignored"))));
            const Real above = sum(products);
            out[static_cast<std::size_t>(d)] = S::shares_first && !none ? above : above / total;
        }
        return out;
    }

    const Problem& problem_;
    const Bugs& bugs_;
    const Array &q_, &k_, &v_;
    std::int64_t Hq_, Lq_, D_, Hkv_, Lk_, Dv_;
};

template <class S> Outputs run(const Problem& problem, const Bugs& bugs) { return Attention<S>(problem, bugs).run(); }

} // namespace sdpa_otherwise

#endif
