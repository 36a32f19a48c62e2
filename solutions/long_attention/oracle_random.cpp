// Level random-features: positive random features of the softmax kernel (Choromanski et al., "Rethinking Attention with
// Performers", ICLR 2021, lemma 1).
//
// Error of a feature f = exp(l - c), l = omega·y - |y|²/2 with y = x / D^(1/4): y is off by 4 roundings (two roots, the
// quotient, the product), so omega·y by (D + 5) u sum |omega y| and |y|²/2 by (D + 9) u |y|²/2; the two differences,
// exp and its argument 3 u |l - c| + 2 u (|omega·y| + |y|²/2) + 8 u. E = f expm1 of their sum. c is what cancels:
// anything a query subtracts from its own features, anything all keys of a head subtract alike; the bound takes a
// query's own largest exponent, and for keys the head's largest, which lies farthest from the others. A maximum that
// follows the keys rescales the state where it grows; its exponents add up to less.
#include "oracle.hpp"
#include "oracle_state.hpp"

#include <algorithm>

namespace assay::long_attention_judge {

namespace {

constexpr double u = float32_unit;

struct Exponents {
    std::vector<double> l, e; // and their errors in units of u
    double largest() const { return *std::max_element(l.begin(), l.end()); }
};

Exponents exponents_of(const double* x, std::size_t D, const std::vector<double>& omega, const Slips& on) {
    const auto width = static_cast<double>(D);
    double temperature = std::pow(width, 0.25);
    if (on("temperature-wrong")) temperature = on("temperature-wrong", 0) ? 1 : std::sqrt(width);
    double norm = 0;
    for (std::size_t d = 0; d < D; ++d) norm += x[d] / temperature * (x[d] / temperature);
    if (!on("norm-not-halved")) norm /= 2;
    if (on("norm-term-missing")) norm = 0;
    Exponents exponents;
    for (std::size_t m = 0; m * D < omega.size(); ++m) {
        double dot = 0, size = 0;
        for (std::size_t d = 0; d < D; ++d) {
            dot += omega[m * D + d] * x[d] / temperature;
            size += std::fabs(omega[m * D + d] * x[d] / temperature);
        }
        exponents.l.push_back(dot - norm);
        exponents.e.push_back((width + 7) * size + (width + 11) * norm + 8);
    }
    return exponents;
}

Features features_of(const Exponents& exponents, double centre) {
    Features features;
    for (std::size_t m = 0; m < exponents.l.size(); ++m) {
        const double at = exponents.l[m] - centre, f = std::exp(at);
        features.add(f, f * std::expm1(u * (exponents.e[m] + 3 * std::fabs(at))));
    }
    return features;
}

/// How features come out without anything subtracted from their exponents.
enum class Range { fine, nothing, unclear };
Range range_of(const std::vector<Exponents>& all) {
    Range range = Range::fine;
    bool none = true;
    for (const Exponents& one : all)
        for (const double l : one.l) {
            if (std::fabs(l) > 75) range = Range::unclear;
            none = none && l < -104;
        }
    return none ? Range::nothing : range;
}

} // namespace

std::optional<Truths> random_feature(const Problem& problem, const Slips& on) {
    const Inputs<double> in(problem);
    const std::vector<double> omega = dense<double>(problem.array("omega"));
    Mapped features;
    std::vector<char> nothing(in.H, 0); // heads whose features are all 0
    for (std::size_t h = 0; h < in.H; ++h) {
        std::vector<Exponents> q, k;
        double top = -std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < in.L; ++i) {
            q.push_back(exponents_of(in.query(h, i), in.D, omega, on));
            k.push_back(exponents_of(in.key(h, i), in.D, omega, on));
            top = std::max(top, k.back().largest());
        }
        if (on("no-stabiliser")) {
            const Range of_q = range_of(q), of_k = range_of(k);
            nothing[h] = of_q == Range::nothing || of_k == Range::nothing;
            if (!nothing[h] && (of_q == Range::unclear || of_k == Range::unclear)) return std::nullopt;
        }
        for (std::size_t i = 0; i < in.L; ++i) {
            features.q.push_back(features_of(q[i], q[i].largest()));
            features.k.push_back(features_of(k[i], on("stabiliser-per-key") ? k[i].largest() : top));
        }
    }
    std::optional<Truths> truths = through_state(problem, in, features, 0, on);
    for (std::size_t at = 0; truths && at < truths->front().value.size(); ++at)
        if (nothing[at / (in.L * in.Dv)] != 0) {
            truths->front().value[at] = not_a_number;
            truths->front().bound[at] = 0;
        }
    return truths;
}

} // namespace assay::long_attention_judge
