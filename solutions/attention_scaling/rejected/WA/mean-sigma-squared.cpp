// The factor of the variance in front of the mean too.
// Level: correlation
#include "contract.hpp"

#include <cmath>

namespace attention_scaling {

joint_moments correlated(joint_features f) {
    if (!(std::fabs(f.rho) <= 1 && f.d >= 1 && f.sigma_q >= 0 && std::isfinite(f.sigma_q) && f.sigma_k >= 0 &&
          std::isfinite(f.sigma_k)))
        return {};
    joint_moments m;
    const double d = static_cast<double>(f.d);
    double factor = 1 + f.rho * f.rho;
    if (f.distribution == law::signs) factor = 1 - f.rho * f.rho;
    if (f.distribution == law::uniform) factor = 1 - f.rho * f.rho / 5;
    m.mean = d * f.rho * f.sigma_q * f.sigma_q * f.sigma_k * f.sigma_k;
    m.product_variance = factor * f.sigma_q * f.sigma_q * f.sigma_k * f.sigma_k;
    m.variance = d * m.product_variance;
    m.scale = 1 / std::sqrt(m.variance);
    return m;
}

} // namespace attention_scaling
