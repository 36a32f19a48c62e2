// Var = E[x²] - E[x]² from the kurtosis; weights and entropy through the log-sum-exp; all sums from the last element.
#include "contract.hpp"

#include <cmath>
#include <vector>

namespace attention_scaling {

namespace {

bool finite_from_zero(double x) { return std::isfinite(x) && !std::signbit(x + 0.0); }

struct measured {
    std::vector<double> p;
    double norm, entropy;
};

double jacobian_at(const std::vector<double>& p, std::size_t i, std::size_t j) {
    return (i == j ? p[i] : 0) - p[i] * p[j];
}

measured measure(const std::vector<double>& x) {
    double largest = x[0], total = 0, dot = 0, norm = 0;
    for (const double one : x) largest = std::fmax(largest, one);
    for (std::size_t i = x.size(); i-- > 0;) total += std::exp(x[i] - largest);
    const double lse = largest + std::log(total);
    std::vector<double> p;
    for (const double one : x) p.push_back(std::exp(one - lse));
    for (std::size_t i = x.size(); i-- > 0;) {
        dot += p[i] * x[i];
        for (std::size_t j = x.size(); j-- > 0;) norm = std::hypot(norm, jacobian_at(p, i, j));
    }
    return {p, norm, lse - dot}; // -Σ p (x - lse), since Σ p = 1
}

} // namespace

moments independent(features f) {
    if (f.d <= 0 || !finite_from_zero(f.sigma_q) || !finite_from_zero(f.sigma_k)) return {};
    const double deviation = f.sigma_q * f.sigma_k, root = std::sqrt(double(f.d));
    return {deviation * deviation, deviation * root * deviation * root, 1 / deviation / root};
}

joint_moments correlated(joint_features f) {
    if (f.d <= 0 || !finite_from_zero(f.sigma_q) || !finite_from_zero(f.sigma_k) || !(f.rho * f.rho <= 1)) return {};
    static constexpr double kurtosis[] = {3, 1, 1.8};
    const double share = f.rho * f.rho, d = double(f.d);
    const double product_mean = f.rho * f.sigma_q * f.sigma_k;
    const double second =
        f.sigma_q * f.sigma_q * f.sigma_k * f.sigma_k * (share * kurtosis[int(f.distribution)] + (1 - share));
    const double variance = second - product_mean * product_mean;
    return {d * product_mean, variance, d * variance, std::pow(d * variance, -0.5)};
}

sensitivity softmax(tensor<const double, 1> logits, tensor<double, 1> p, tensor<double, 2> jacobian) {
    std::vector<double> x(logits.data(), logits.data() + logits.extent(0));
    bool good = !x.empty();
    for (const double one : x) good = good && one - one == 0;
    measured m{std::vector<double>(x.size(), NAN), unset, unset};
    if (good) m = measure(x);
    for (std::size_t i = 0; i < x.size(); ++i) {
        p(i) = m.p[i];
        for (std::size_t j = 0; j < x.size(); ++j) jacobian(i, j) = jacobian_at(m.p, i, j);
    }
    return {m.norm, m.entropy};
}

comparison saturation(std::int64_t d, std::int64_t keys) {
    if (d < 1 || keys < 2) return {};
    std::vector<double> z, unscaled, by_root, by_d;
    const double centre = double(keys - 1) / 2;
    double variance = 0;
    for (std::int64_t j = 0; j < keys; ++j) variance += (double(j) - centre) * (double(j) - centre) / double(keys);
    const double root = std::sqrt(double(d));
    for (std::int64_t j = 0; j < keys; ++j) {
        unscaled.push_back(root * ((double(j) - centre) / std::sqrt(variance)));
        by_root.push_back(unscaled.back() / root);
        by_d.push_back(unscaled.back() / double(d));
    }
    const measured u = measure(unscaled), r = measure(by_root), m = measure(by_d);
    return {root,      u.p.back(), u.entropy,        u.norm,     1,         r.p.back(),
            r.entropy, r.norm,     root / double(d), m.p.back(), m.entropy, m.norm};
}

logits_after_training aligned(aligned_features f) {
    const joint_moments all = correlated({f.d, f.sigma_q, f.sigma_k, f.rho, law::gaussian});
    if (std::isnan(all.mean)) return {};
    const double d = double(f.d), root = std::sqrt(d), deviation = std::sqrt(all.variance);
    return {all.mean / root, deviation / root, all.mean / d, deviation / d, std::pow(f.rho, -2) + 1};
}

} // namespace attention_scaling
