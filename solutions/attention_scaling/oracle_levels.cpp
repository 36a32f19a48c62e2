// Levels softmax and saturation: what is done with the weights, and with logits that are invalid.
#include "core/items.hpp"
#include "oracle.hpp"

#include <cmath>
#include <limits>

namespace assay::attention_scaling_judge {

namespace {

using real = long double;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Truths softmax_truths(Weights w, std::int64_t n) {
    Items items;
    items.tensor("p", {n}, std::move(w.p), std::move(w.p_bound), Dtype::f64);
    items.tensor("jacobian", {n, n}, std::move(w.jacobian), std::move(w.jacobian_bound), Dtype::f64);
    Truths truths = items.number("norm", w.norm).number("entropy", w.entropy, "nats").take();
    truths[2].bound = {w.norm_bound};
    truths[3].bound = {w.entropy_bound};
    return truths;
}

/// The answer to invalid logits: NaN everywhere; `entropy` is 0 where a guard `if (p > 0)` skips them all.
Weights not_a_number(std::size_t n, double entropy = nan) {
    Weights w;
    w.p.assign(n, nan);
    w.p_bound.assign(n, 0);
    w.jacobian.assign(n * n, nan);
    w.jacobian_bound.assign(n * n, 0);
    w.norm = nan;
    w.entropy = entropy;
    return w;
}

/// Nobody looked at the logits: exp(-infinity) = 0 leaves a weight out, NaN and +infinity spoil all of them.
Weights unlooked_at(const std::vector<double>& logits, const Slips& on) {
    const bool guarded = on("unchecked", 3);
    std::vector<real> finite;
    std::vector<std::size_t> where;
    bool spoilt = false;
    for (std::size_t i = 0; i < logits.size(); ++i) {
        if (std::isfinite(logits[i])) {
            finite.push_back(logits[i]);
            where.push_back(i);
        } else if (!(logits[i] < 0)) {
            spoilt = true;
        }
    }
    const std::size_t n = logits.size();
    if (n == 0) return {};
    if (spoilt || finite.empty()) return not_a_number(n, guarded ? 0 : nan);
    const Weights some = softmax(finite, 0, on);
    Weights all = not_a_number(n);
    all.p.assign(n, 0);
    all.jacobian.assign(n * n, 0);
    const std::size_t kept = where.size();
    for (std::size_t i = 0; i < kept; ++i) {
        all.p[where[i]] = some.p[i];
        all.p_bound[where[i]] = some.p_bound[i];
        for (std::size_t j = 0; j < kept; ++j) {
            all.jacobian[where[i] * n + where[j]] = some.jacobian[i * kept + j];
            all.jacobian_bound[where[i] * n + where[j]] = some.jacobian_bound[i * kept + j];
        }
    }
    all.norm = some.norm;
    all.norm_bound = some.norm_bound;
    all.entropy = guarded ? some.entropy : nan; // 0 ln 0
    all.entropy_bound = guarded ? some.entropy_bound : 0;
    return all;
}

} // namespace

Truths softmax_level(const Problem& problem, const Slips& on) {
    const std::vector<double> logits = problem.array("logits").values();
    const auto n = static_cast<std::int64_t>(logits.size());
    bool good = !logits.empty();
    for (const double x : logits) good = good && std::isfinite(x);
    if (good) return softmax_truths(softmax({logits.begin(), logits.end()}, 0, on), n);
    if (on("unchecked", 2) || on("unchecked", 3)) return softmax_truths(unlooked_at(logits, on), n);
    return softmax_truths(not_a_number(logits.size()), n);
}

Truths saturation_level(const Problem& problem, const Slips& on) {
    const std::int64_t d = problem.integer("d"), keys = problem.integer("keys");
    const bool good = d >= 1 && keys >= 2;
    const real width = std::sqrt(static_cast<real>(d));
    real deviations[] = {width, 1, 1 / width};
    if (on("variance-as-deviation"))
        for (real& deviation : deviations) deviation *= width;
    if (on("mup-on-scaled")) deviations[2] /= width;
    const char* const rules[] = {"_unscaled", "_by_root", "_by_d"};
    Items items;
    std::vector<double> bounds;
    for (int rule = 0; rule < 3; ++rule) {
        const std::string suffix = rules[rule];
        Weights w = not_a_number(1);
        real deviation = nan;
        if (good) {
            deviation = deviations[rule];
            const real n = static_cast<real>(keys);
            const real spread = on("grid-sample-variance") ? n * (n + 1) : n * n - 1;
            std::vector<real> logits;
            for (std::int64_t j = 0; j < keys; ++j)
                logits.push_back(deviation * static_cast<real>(2 * j - keys + 1) * std::sqrt(3 / spread));
            w = softmax(logits, 10, on); // sqrt(d), 1/sqrt(d), n^2 - 1, quotient, root, and up to four products
        }
        // Taken from the logits themselves it is a sum of `keys` squares.
        items.number("deviation" + suffix, static_cast<double>(deviation), "",
                     32 + (good ? static_cast<double>(keys) : 0));
        items.number("largest" + suffix, w.p.back());
        items.number("entropy" + suffix, w.entropy, "nats");
        items.number("norm" + suffix, w.norm);
        bounds.insert(bounds.end(), {-1, w.p_bound.back(), w.entropy_bound, w.norm_bound});
    }
    Truths truths = items.take();
    for (std::size_t i = 0; i < truths.size(); ++i)
        if (bounds[i] >= 0) truths[i].bound = {bounds[i]};
    return truths;
}

} // namespace assay::attention_scaling_judge
