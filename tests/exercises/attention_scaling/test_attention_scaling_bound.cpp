// The error bounds, tried: many right ways to write each formula in float64 stay within them, and ways that lose
// precision do not.
#include "attention_scaling.hpp"
#include "core/random.hpp"
#include "judge/elements.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

using namespace assay;
using namespace assay::attention_scaling_test;

namespace {

using Numbers = std::vector<double>;

struct Answer {
    Numbers p, jacobian;
    double norm = 0, entropy = 0;
};
using Sum = std::function<double(const Numbers&)>;

double forward(const Numbers& x) { return std::accumulate(x.begin(), x.end(), 0.0); }
double backward(const Numbers& x) { return std::accumulate(x.rbegin(), x.rend(), 0.0); }
double pairwise(const Numbers& x) {
    if (x.size() < 2) return x.empty() ? 0 : x[0];
    const auto middle = x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2);
    return pairwise({x.begin(), middle}) + pairwise({middle, x.end()});
}

Numbers each(const Numbers& x, const std::function<double(double)>& f) {
    Numbers y;
    for (const double one : x) y.push_back(f(one));
    return y;
}

double largest(const Numbers& x) { return *std::max_element(x.begin(), x.end()); }
double plogp(double p) { return p > 0 ? -p * std::log(p) : 0; }

/// Jacobian and norm from p, entry by entry: diagonal p - p p or p (1 - p).
void differentiate(Answer& a, const Sum& sum, bool factored) {
    for (std::size_t i = 0; i < a.p.size(); ++i)
        for (std::size_t j = 0; j < a.p.size(); ++j) {
            const double p = a.p[i], q = a.p[j];
            a.jacobian.push_back(i != j ? -p * q : factored ? p * (1 - p) : p - p * p);
        }
    a.norm = std::sqrt(sum(each(a.jacobian, [](double x) { return x * x; })));
}

Answer usual(const Numbers& x, const Sum& sum, bool factored, double (*exponential)(double)) {
    Answer a;
    const double m = largest(x);
    const Numbers e = each(x, [&](double one) { return exponential(one - m); });
    const double total = sum(e);
    a.p = each(e, [&](double one) { return one / total; });
    differentiate(a, sum, factored);
    a.entropy = sum(each(a.p, plogp));
    return a;
}

double by_exp(double x) { return std::exp(x); }
double by_exp2(double x) { return std::exp2(x * 1.4426950408889634); }

Answer by_log_sum_exp(const Numbers& x, bool unshifted_entropy) {
    Answer a;
    const double m = largest(x);
    const double lse = m + std::log(forward(each(x, [&](double one) { return std::exp(one - m); })));
    a.p = each(x, [&](double one) { return std::exp(one - lse); });
    differentiate(a, forward, true);
    double mean = 0;
    for (std::size_t i = 0; i < x.size(); ++i) mean += a.p[i] * (unshifted_entropy ? x[i] : x[i] - lse);
    a.entropy = unshifted_entropy ? lse - mean : -mean;
    return a;
}

/// Complements without cancellation: 1 - p = -expm1(ln p), and ln p of the largest by log1p of the others.
Answer by_expm1(const Numbers& x) {
    Answer a;
    const auto top = static_cast<std::size_t>(std::max_element(x.begin(), x.end()) - x.begin());
    double others = 0;
    for (std::size_t i = 0; i < x.size(); ++i) others += i == top ? 0 : std::exp(x[i] - x[top]);
    const Numbers log_p = each(x, [&](double one) { return one - x[top] - std::log1p(others); });
    a.p = each(log_p, by_exp);
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (a.p[i] > 0) a.entropy -= a.p[i] * log_p[i];
        for (std::size_t j = 0; j < x.size(); ++j) {
            a.jacobian.push_back(i == j ? a.p[i] * -std::expm1(log_p[i]) : -a.p[i] * a.p[j]);
            a.norm = std::hypot(a.norm, a.jacobian.back());
        }
    }
    return a;
}

Answer by_quotients(const Numbers& x) {
    Answer a;
    for (const double here : x) {
        const double inverse = forward(each(x, [&](double other) { return std::exp(other - here); }));
        a.p.push_back(1 / inverse);
        if (std::isfinite(inverse)) a.entropy += std::log(inverse) / inverse;
    }
    differentiate(a, backward, true);
    return a;
}

Answer with_float_weights(const Numbers& x) {
    Answer a = usual(x, forward, true, by_exp);
    a.p = each(a.p, [](double p) { return static_cast<double>(static_cast<float>(p)); });
    a.jacobian.clear();
    differentiate(a, forward, true);
    a.entropy = forward(each(a.p, plogp));
    return a;
}

Answer with_power_sums(const Numbers& x) {
    Answer a = usual(x, forward, true, by_exp);
    const double s2 = forward(each(a.p, [](double p) { return p * p; }));
    const double s3 = forward(each(a.p, [](double p) { return p * p * p; }));
    a.norm = std::sqrt(s2 - 2 * s3 + s2 * s2);
    return a;
}

Answer with_epsilon(const Numbers& x) {
    Answer a = usual(x, forward, true, by_exp);
    a.entropy = forward(each(a.p, [](double p) { return -p * std::log(p + 1e-12); }));
    return a;
}

Answer without_maximum(const Numbers& x) {
    Answer a;
    const Numbers e = each(x, by_exp);
    a.p = each(e, [&](double one) { return one / forward(e); });
    differentiate(a, forward, true);
    a.entropy = forward(each(a.p, plogp));
    return a;
}

/// Error over bound, at most over all elements; infinite where NaN stands in place of a number.
double share(const Numbers& got, const Truth& truth) {
    double most = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
        if (got[i] == truth.value[i]) continue;
        const double error = std::fabs(got[i] - truth.value[i]);
        const double one = error / truth.bound[i];
        most = one <= std::numeric_limits<double>::max() ? std::max(most, one) : HUGE_VAL;
    }
    return most;
}

double share(const Answer& got, const Numbers& x) {
    const Truths truths = truths_of(softmax(x));
    return std::max({share(got.p, item(truths, "p")), share(got.jacobian, item(truths, "jacobian")),
                     share({got.norm}, item(truths, "norm")), share({got.entropy}, item(truths, "entropy"))});
}

enum Kind { small, wide, shifted, equal, one_hot, tiny_products, kinds };

Numbers logits(Random& random, int kind) {
    const std::int64_t n = random.integer(kind == one_hot ? 2 : 1, random.chance(0.1) ? 60 : 12);
    const double offset = kind == shifted ? random.uniform(-1e4, 1e4) : 0;
    const double spread = kind == wide ? std::exp(random.uniform(1, 9.2)) : kind == equal ? 1e-9 : 2;
    Numbers x;
    for (std::int64_t i = 0; i < n; ++i) x.push_back(offset + spread * random.uniform(-1, 1));
    if (kind == one_hot) x.back() += random.uniform(20, 60);
    if (kind == tiny_products) // weights near 1e-161, whose products are subnormal
        for (std::size_t i = 1; i < x.size(); ++i) x[i] -= 370;
    return x;
}

/// The largest share of the bound over 200 sets of logits of all kinds, or of one.
double worst(const std::function<Answer(const Numbers&)>& variant, int only = -1) {
    Random random(21, "bounds");
    double most = 0;
    for (int set = 0; set < 200; ++set) {
        const Numbers x = logits(random, only >= 0 ? only : set % kinds);
        most = std::max(most, share(variant(x), x));
    }
    return most;
}

} // namespace

TEST_CASE("attention_scaling: right ways to write softmax stay within the bound", "[attention_scaling]") {
    const auto with = [](const Sum& sum, bool factored, double (*exponential)(double)) {
        return worst([=](const Numbers& x) { return usual(x, sum, factored, exponential); });
    };
    CHECK(with(forward, true, by_exp) < 1);
    CHECK(with(forward, false, by_exp) < 1);
    CHECK(with(backward, true, by_exp) < 1);
    CHECK(with(pairwise, false, by_exp) < 1);
    CHECK(with(forward, true, by_exp2) < 1);
    CHECK(worst([](const Numbers& x) { return by_log_sum_exp(x, false); }) < 1);
    CHECK(worst([](const Numbers& x) { return by_log_sum_exp(x, true); }) < 1);
    CHECK(worst(by_expm1) < 1);
    CHECK(worst(by_quotients) < 1);
}

TEST_CASE("attention_scaling: ways that lose precision do not", "[attention_scaling]") {
    CHECK(worst(with_float_weights, small) > 1e4);
    CHECK(worst(with_power_sums, one_hot) > 1e4);
    CHECK(worst(with_power_sums, small) < 1); // on paper, and away from one-hot, it is right
    CHECK(worst(with_epsilon, small) > 100);
    CHECK(worst(without_maximum, wide) == HUGE_VAL);
    CHECK(worst(without_maximum, small) < 1);
}

TEST_CASE("attention_scaling: the bounds have no room for a part in 1e10", "[attention_scaling]") {
    Random random(22, "tight");
    for (int set = 0; set < 200; ++set) {
        const Truths truths = truths_of(softmax(logits(random, small)));
        for (std::size_t i = 0; i < item(truths, "p").value.size(); ++i)
            CHECK(item(truths, "p").bound[i] < 1e-12 * item(truths, "p").value[i]);
        CHECK(item(truths, "entropy").bound[0] < 1e-12);
        CHECK(item(truths, "norm").bound[0] < 1e-12);
    }
}

TEST_CASE("attention_scaling: right ways to write the moments stay within the bound", "[attention_scaling]") {
    Random random(23, "moments");
    double most = 0, least_wrong = HUGE_VAL;
    for (int set = 0; set < 200; ++set) {
        const std::int64_t d = random.integer(1, 1'000'000);
        const double n = static_cast<double>(d), q = std::exp(random.uniform(-9, 9)),
                     k = std::exp(random.uniform(-9, 9));
        const double rho = random.chance(0.5) ? random.uniform(-1, 1) : 1 - std::exp(random.uniform(-20, 0));
        const std::int64_t law = random.integer(0, 2);
        const Truths truths = truths_of(correlated(d, q, k, rho, law));
        const double weight = law == 0 ? 1 : law == 1 ? -1 : -0.2, kurtosis = weight + 2;
        const double factored = law == 1 ? (1 - rho) * (1 + rho) : 1 + weight * rho * rho;
        const double mean = rho * q * k;
        const double second = q * q * k * k * (1 - rho * rho + kurtosis * rho * rho) - mean * mean;
        for (const double variance : {n * q * q * k * k * factored, std::pow(q * k, 2) * factored * n, n * second,
                                      q * q * (k * k * n) * factored}) {
            most = std::max(most, share({variance}, item(truths, "variance")));
            if (variance > 0) most = std::max(most, share({1 / std::sqrt(variance)}, item(truths, "scale")));
            const Numbers rounded{static_cast<double>(static_cast<float>(variance))};
            if (law == 0) least_wrong = std::min(least_wrong, share(rounded, item(truths, "variance")));
        }
        most = std::max(most, share({k * n * rho * q}, item(truths, "mean")));
    }
    CHECK(most < 1);
    CHECK(least_wrong > 1);
}
