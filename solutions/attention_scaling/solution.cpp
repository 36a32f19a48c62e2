// Why attention divides by sqrt(d): the model answer. See walkthrough.md for the derivations.
#include "contract.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace attention_scaling {

namespace {

// Written so that NaN is refused: no comparison with it is true.
bool is_deviation(double sigma) { return sigma >= 0 && std::isfinite(sigma); }

bool is_valid(std::int64_t d, double sigma_q, double sigma_k) {
    return d >= 1 && is_deviation(sigma_q) && is_deviation(sigma_k);
}

bool is_correlation(double rho) { return rho >= -1 && rho <= 1; }

// (1 - rho)(1 + rho) keeps its digits where rho² is nearly 1.
double variance_factor(law distribution, double rho) {
    switch (distribution) {
    case law::gaussian: return 1 + rho * rho;
    case law::signs: return (1 - rho) * (1 + rho);
    case law::uniform: return 1 - rho * rho / 5;
    }
    return unset;
}

struct weights {
    std::vector<double> p;
    double entropy = 0, norm = 0;
};

double jacobian_entry(const std::vector<double>& p, std::size_t i, std::size_t j) {
    return i == j ? p[i] * (1 - p[i]) : -p[i] * p[j];
}

weights softmax_of(std::vector<double> x) {
    const double largest = *std::max_element(x.begin(), x.end());
    double total = 0;
    for (double& one : x) total += one = std::exp(one - largest);
    weights w;
    for (const double e : x) w.p.push_back(e / total);
    double squares = 0;
    for (std::size_t i = 0; i < w.p.size(); ++i) {
        if (w.p[i] > 0) w.entropy -= w.p[i] * std::log(w.p[i]);
        for (std::size_t j = 0; j < w.p.size(); ++j) {
            const double entry = jacobian_entry(w.p, i, j);
            squares += entry * entry;
        }
    }
    w.norm = std::sqrt(squares);
    return w;
}

} // namespace

moments independent(features f) {
    if (!is_valid(f.d, f.sigma_q, f.sigma_k)) return {};
    moments m;
    m.product_variance = f.sigma_q * f.sigma_q * f.sigma_k * f.sigma_k;
    m.variance = static_cast<double>(f.d) * m.product_variance;
    m.scale = 1 / std::sqrt(m.variance);
    return m;
}

joint_moments correlated(joint_features f) {
    if (!is_valid(f.d, f.sigma_q, f.sigma_k) || !is_correlation(f.rho)) return {};
    const double d = static_cast<double>(f.d), sigmas = f.sigma_q * f.sigma_k;
    joint_moments m;
    m.mean = d * f.rho * sigmas;
    m.product_variance = sigmas * sigmas * variance_factor(f.distribution, f.rho);
    m.variance = d * m.product_variance;
    m.scale = 1 / std::sqrt(m.variance);
    return m;
}

sensitivity softmax(tensor<const double, 1> logits, tensor<double, 1> p, tensor<double, 2> jacobian) {
    const auto n = logits.extent(0);
    std::vector<double> x;
    bool valid = n > 0;
    for (std::ptrdiff_t i = 0; i < n; ++i) {
        x.push_back(logits(i));
        valid = valid && std::isfinite(logits(i));
    }
    if (!valid) {
        for (std::ptrdiff_t i = 0; i < n; ++i) {
            p(i) = NAN;
            for (std::ptrdiff_t j = 0; j < n; ++j) jacobian(i, j) = NAN;
        }
        return {};
    }
    const weights w = softmax_of(x);
    for (std::ptrdiff_t i = 0; i < n; ++i) {
        p(i) = w.p[static_cast<std::size_t>(i)];
        for (std::ptrdiff_t j = 0; j < n; ++j)
            jacobian(i, j) = jacobian_entry(w.p, static_cast<std::size_t>(i), static_cast<std::size_t>(j));
    }
    return {w.norm, w.entropy};
}

comparison saturation(std::int64_t d, std::int64_t keys) {
    if (d < 1 || keys < 2) return {};
    const double n = static_cast<double>(keys);
    const auto under = [&](double deviation) {
        std::vector<double> x;
        for (std::int64_t j = 0; j < keys; ++j)
            x.push_back(deviation * static_cast<double>(2 * j - keys + 1) * std::sqrt(3 / (n * n - 1)));
        return softmax_of(x);
    };
    comparison c;
    c.deviation_unscaled = std::sqrt(static_cast<double>(d));
    c.deviation_by_root = 1;
    c.deviation_by_d = 1 / c.deviation_unscaled;
    const weights unscaled = under(c.deviation_unscaled), by_root = under(1), by_d = under(c.deviation_by_d);
    c.largest_unscaled = unscaled.p.back();
    c.entropy_unscaled = unscaled.entropy;
    c.norm_unscaled = unscaled.norm;
    c.largest_by_root = by_root.p.back();
    c.entropy_by_root = by_root.entropy;
    c.norm_by_root = by_root.norm;
    c.largest_by_d = by_d.p.back();
    c.entropy_by_d = by_d.entropy;
    c.norm_by_d = by_d.norm;
    return c;
}

logits_after_training aligned(aligned_features f) {
    if (!is_valid(f.d, f.sigma_q, f.sigma_k) || !is_correlation(f.rho)) return {};
    const double root = std::sqrt(static_cast<double>(f.d)), sigmas = f.sigma_q * f.sigma_k;
    const double factor = 1 + f.rho * f.rho;
    logits_after_training t;
    t.mean_by_root = root * f.rho * sigmas;
    t.deviation_by_root = sigmas * std::sqrt(factor);
    t.mean_by_d = f.rho * sigmas;
    t.deviation_by_d = t.deviation_by_root / root;
    t.crossing = factor / (f.rho * f.rho);
    return t;
}

} // namespace attention_scaling
