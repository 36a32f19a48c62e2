// p_i = 1 / Σ_j exp(x_j - x_i): no maximum needed, since an infinite sum gives the right 0. Complements 1 - p as sums
// of the other weights, a norm without the matrix, and entropy as Σ p ln(1/p).
#include "contract.hpp"

#include <cmath>
#include <limits>
#include <vector>

namespace attention_scaling {

namespace {

class distribution_of {
  public:
    explicit distribution_of(std::vector<double> x) {
        for (const double here : x) {
            double inverse = 0;
            for (const double other : x) inverse += std::exp(other - here);
            p.push_back(1 / inverse);
            if (std::isfinite(inverse)) entropy += std::log(inverse) / inverse;
        }
        for (std::size_t i = 0; i < p.size(); ++i) {
            others.push_back(0);
            double others_squared = 0;
            for (std::size_t j = 0; j < p.size(); ++j)
                if (j != i) {
                    others[i] += p[j];
                    others_squared += p[j] * p[j];
                }
            squares += p[i] * p[i] * (others[i] * others[i] + others_squared);
        }
    }
    double entry(std::size_t i, std::size_t j) const { return i == j ? p[i] * others[i] : -(p[i] * p[j]); }
    double norm() const { return std::sqrt(squares); }

    std::vector<double> p, others;
    double entropy = 0, squares = 0;
};

template <class Features> bool is_valid(const Features& f) {
    const double top = std::numeric_limits<double>::max();
    return f.d > 0 && 0 <= f.sigma_q && f.sigma_q <= top && 0 <= f.sigma_k && f.sigma_k <= top;
}

} // namespace

moments independent(features f) {
    moments m;
    if (!is_valid(f)) return m;
    m.product_variance = (f.sigma_k * f.sigma_k) * (f.sigma_q * f.sigma_q);
    m.variance = m.product_variance * static_cast<double>(f.d);
    m.scale = std::sqrt(1 / m.variance);
    return m;
}

joint_moments correlated(joint_features f) {
    joint_moments m;
    if (!is_valid(f) || std::isnan(f.rho) || f.rho > 1 || f.rho < -1) return m;
    const moments alone = independent({f.d, f.sigma_q, f.sigma_k});
    const double share = f.rho * f.rho;
    // Gaussian by Isserlis: E[qqkk] = 1 + 2 rho². Signs: qqkk is constant. Uniform: 1.8 rho² + (1 - rho²).
    const double second = f.distribution == law::gaussian ? 1 + 2 * share
                          : f.distribution == law::signs  ? 1.0
                                                          : 1 + 0.8 * share;
    const double factor = second - share;
    m.mean = f.sigma_q * f.sigma_k * static_cast<double>(f.d) * f.rho;
    m.product_variance = alone.product_variance * factor;
    m.variance = alone.variance * factor;
    m.scale = alone.scale / std::sqrt(factor);
    return m;
}

sensitivity softmax(tensor<const double, 1> logits, tensor<double, 1> p, tensor<double, 2> jacobian) {
    std::vector<double> x;
    double sum_of_zeros = 0;
    for (int i = 0; i < logits.extent(0); ++i) {
        x.push_back(logits(i));
        sum_of_zeros += 0 * logits(i); // NaN as soon as one is not finite
    }
    const bool valid = !x.empty() && sum_of_zeros == 0;
    const distribution_of d(valid ? x : std::vector<double>());
    for (std::size_t i = 0; i < x.size(); ++i) {
        p(i) = valid ? d.p[i] : unset;
        for (std::size_t j = 0; j < x.size(); ++j) jacobian(i, j) = valid ? d.entry(i, j) : unset;
    }
    sensitivity s;
    if (valid) s = {d.norm(), d.entropy};
    return s;
}

comparison saturation(std::int64_t d, std::int64_t keys) {
    comparison c;
    if (d < 1 || keys < 2) return c;
    const double gap = std::sqrt(12 / (double(keys - 1) * double(keys + 1))); // between neighbours, deviation 1
    const auto spread = [&](double deviation) {
        std::vector<double> x;
        for (int j = 0; j < keys; ++j) x.push_back((j - (double(keys) - 1) / 2) * gap * deviation);
        return distribution_of(x);
    };
    c.deviation_unscaled = std::pow(double(d), 0.5);
    c.deviation_by_root = 1;
    c.deviation_by_d = std::pow(double(d), -0.5);
    const distribution_of a = spread(c.deviation_unscaled), b = spread(1), e = spread(c.deviation_by_d);
    c.largest_unscaled = a.p.back(), c.entropy_unscaled = a.entropy, c.norm_unscaled = a.norm();
    c.largest_by_root = b.p.back(), c.entropy_by_root = b.entropy, c.norm_by_root = b.norm();
    c.largest_by_d = e.p.back(), c.entropy_by_d = e.entropy, c.norm_by_d = e.norm();
    return c;
}

logits_after_training aligned(aligned_features f) {
    logits_after_training t;
    if (!is_valid(f) || !(std::fabs(f.rho) <= 1)) return t;
    const double d = static_cast<double>(f.d), sigmas = f.sigma_q * f.sigma_k;
    t.mean_by_d = f.rho * sigmas;
    t.mean_by_root = t.mean_by_d * std::sqrt(d);
    t.deviation_by_root = std::hypot(1, f.rho) * sigmas;
    t.deviation_by_d = t.deviation_by_root * std::sqrt(1 / d);
    const double ratio = std::hypot(1, f.rho) / f.rho; // sqrt(d) rho = sqrt(1 + rho²) there
    t.crossing = ratio * ratio;
    return t;
}

} // namespace attention_scaling
