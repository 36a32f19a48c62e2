// One slice of layernorm, and of the way back.
//
// Where the bounds come from (first order, worst case, factor 1; u = 2^-24; d = x - μ, r = 1 / sqrt(σ² + ε), x̂ = d r):
//   mean           n - 1 additions, a division, and one more for running means: Δμ = u (n + 1) mean |x|;
//   variance       squares of d sum to within u (n + 4) σ², or u (n + 4) σ sqrt(σ² + μ²) where a running mean is
//                  subtracted (Welford); a shifted mean adds Δμ². Relative to σ² + ε that is q;
//   r              a variance off by q, but not below 0: ρ = max(1 / sqrt(max(1 - q, ε / (σ² + ε))) - 1,
//                  1 - 1 / sqrt(1 + q)), q/2 where q is small, and 3 u for the sum with eps, root and division. (To cap
//                  q/2 at 1 is not enough: two neighbouring floats at 1e6 have a rounded mean that is one of them, and
//                  Welford's variance comes out as 0.)
//   x̂              E = r (Δμ + 2 u |d| + ρ |d|)(1 + ρ);
//   y              |γ| E, and the product and the sum with β: u (3 |γ x̂| + |β| + |y|);
//   dx             g = γ dy, a = mean g, c = mean g x̂; with Ex = E + u |x̂| and Ec = u (n + 3) mean |g x̂| + mean |g| Ex:
//                  |dx| (ρ + 2 u) + r (1 + ρ) [4 u (|g| + |a| + |x̂ c|) + u (n + 2) mean |g| + |x̂| Ec + Ex (|c| + Ec)].
#include "oracle_slices.hpp"

#include <algorithm>
#include <cmath>

namespace assay::softmax_layernorm_judge {

namespace {

constexpr double u = unit_roundoff;

/// Sum and sum of squares in float32, one element after the other: what cancels depends on every rounding, so the
/// mistake is made as it is written. variant / 2: how the difference is formed; variant % 2: clamped at 0.
Statistics by_mean_of_squares(const std::vector<double>& x, double eps, const Switch& as) {
    float sum = 0, squares = 0;
    for (const double one : x) {
        const auto value = static_cast<float>(one);
        sum += value;
        squares += value * value;
    }
    const auto n = static_cast<float>(x.size());
    const float mean = sum / n;
    float variance = squares / n - mean * mean;
    if (as.variant / 2 == 1) variance = (squares - sum * mean) / n;
    if (as.variant / 2 == 2) variance = (squares - n * mean * mean) / n;
    if (as.variant % 2 == 1) variance = std::max(variance, 0.0f);
    Statistics stats;
    for (const double one : x) stats.d.push_back(static_cast<double>(static_cast<float>(one) - mean));
    stats.r = 1 / std::sqrt(static_cast<double>(variance + static_cast<float>(eps))); // NaN below 0
    stats.r_error = 3 * u;
    return stats;
}

/// How far 1 / sqrt(v) may stray, relatively, where v is off by the share q and never less than the share `least`.
double stray_of_root(double q, double least) {
    return std::max(1 / std::sqrt(std::max(1 - q, least)) - 1, 1 - 1 / std::sqrt(1 + q));
}

} // namespace

double Statistics::error(std::size_t i) const {
    return r * (mean_error + (2 * u + r_error) * std::fabs(d[i])) * (1 + r_error);
}

Statistics statistics_of(const std::vector<double>& x, double eps, const Switch& as) {
    if (as.slip == Slip::mean_of_squares) return by_mean_of_squares(x, eps, as);
    const auto n = static_cast<double>(x.size());
    long double sum = 0, size = 0;
    for (const double one : x) {
        sum += static_cast<long double>(one);
        size += static_cast<long double>(std::fabs(one));
    }
    const long double mean = sum / static_cast<long double>(n);
    Statistics stats;
    long double squares = 0;
    for (const double one : x) {
        const long double d = static_cast<long double>(one) - mean;
        squares += d * d;
        stats.d.push_back(static_cast<double>(d));
    }
    const double mu = static_cast<double>(mean);
    double variance = static_cast<double>(squares) / n;
    if (as.slip == Slip::ddof_one) variance = static_cast<double>(squares) / (n - 1); // 0/0 for n = 1
    stats.mean_error = u * (n + 1) * static_cast<double>(size) / n;
    if (as.slip == Slip::mean_not_subtracted) {
        stats.d = x;
        stats.mean_error = 0;
        if (as.variant == 0) variance += mu * mu; // RMSNorm; else the variance is right
    }
    const double sigma = std::sqrt(variance);
    const double stray = u * (n + 4) * sigma * std::hypot(sigma, mu) + stats.mean_error * stats.mean_error;
    const double q = stray / (variance + eps), bare = sigma > 0 ? stray / variance : 0; // with eps, and without
    const double least = eps / (variance + eps);
    double relative = stray_of_root(q, least);
    stats.r = 1 / std::sqrt(variance + eps);
    switch (as.slip) {
    case Slip::eps_outside_root:
        stats.r = 1 / (sigma + eps);
        relative = stray_of_root(bare, least * least);
        break;
    case Slip::eps_missing: stats.r = 1 / sigma, relative = stray_of_root(bare, 0x1p-24); break;
    case Slip::variance_not_root:
        stats.r = 1 / (variance + eps);
        relative = (1 + relative) * (1 + relative) - 1;
        break;
    default: break;
    }
    stats.r_error = relative + 3 * u;
    return stats;
}

Values layernorm_slice(const Statistics& stats, const std::vector<double>& gamma, const std::vector<double>& beta,
                       const Switch& as) {
    const auto n = static_cast<double>(stats.d.size());
    Values y;
    for (std::size_t j = 0; j < stats.d.size(); ++j) {
        const double g = as.slip == Slip::gamma_forgotten ? 1 : gamma[j];
        double b = as.slip == Slip::beta_forgotten ? 0 : beta[j];
        if (as.slip == Slip::beta_scaled) b *= g;
        const double scaled = g * stats.normalised(j);
        const double value = scaled + b;
        const double bound = std::fabs(g) * stats.error(j) +
                             u * (3 * std::fabs(scaled) + std::fabs(b) + std::fabs(value)) +
                             flushed(n, stats.r * std::fabs(g));
        y.add(value, std::isfinite(value) ? bound : 0);
    }
    return y;
}

Values layernorm_backward_slice(const Statistics& stats, const std::vector<double>& gamma,
                                const std::vector<double>& dy, const Switch& as) {
    const auto n = static_cast<double>(stats.d.size());
    const bool without = as.slip == Slip::gamma_forgotten || as.slip == Slip::gamma_after_reductions;
    double by_mean = 1, by_variance = 1; // what the two reductions are multiplied by
    switch (as.slip) {
    case Slip::mean_term_missing: by_mean = 0; break;
    case Slip::variance_term_missing: by_variance = 0; break;
    case Slip::statistics_detached: by_mean = by_variance = 0; break;
    case Slip::sums_for_means: by_mean = by_variance = n; break;
    case Slip::deviations_unscaled: by_variance = 1 / (stats.r * stats.r); break;
    case Slip::ddof_one: by_variance = as.variant == 0 ? 1 : n / (n - 1); break;
    default: break;
    }
    std::vector<double> g(dy.size());
    double a = 0, c = 0, size = 0, Ec = 0;
    for (std::size_t j = 0; j < dy.size(); ++j) {
        g[j] = without ? dy[j] : gamma[j] * dy[j];
        const double xhat = stats.normalised(j);
        a += g[j] / n;
        c += g[j] * xhat / n;
        size += std::fabs(g[j]) / n;
        Ec += std::fabs(g[j]) / n * (u * (n + 3) * std::fabs(xhat) + stats.error(j) + u * std::fabs(xhat));
    }
    Values dx;
    for (std::size_t j = 0; j < dy.size(); ++j) {
        const double xhat = stats.normalised(j), Ex = stats.error(j) + u * std::fabs(xhat);
        double value = stats.r * (g[j] - by_mean * a - by_variance * xhat * c);
        const double sums = 4 * u * (std::fabs(g[j]) + by_mean * std::fabs(a) + by_variance * std::fabs(xhat * c)) +
                            by_mean * u * (n + 2) * size +
                            by_variance * (std::fabs(xhat) * Ec + Ex * (std::fabs(c) + Ec));
        double bound = std::fabs(value) * (stats.r_error + 2 * u) + stats.r * (1 + stats.r_error) * sums;
        if (as.slip == Slip::gamma_after_reductions) {
            value *= gamma[j];
            bound = bound * std::fabs(gamma[j]) + u * std::fabs(value);
        }
        dx.add(value, std::isfinite(value) ? bound + flushed(n, stats.r * (1 + size + std::fabs(gamma[j]))) : 0);
    }
    return dx;
}

} // namespace assay::softmax_layernorm_judge
