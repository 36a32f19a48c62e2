// Adds standard deviations instead of variances.
// Level: moments
#include "contract.hpp"

#include <cmath>

namespace attention_scaling {

moments independent(features f) {
    if (!(f.d >= 1 && f.sigma_q >= 0 && std::isfinite(f.sigma_q) && f.sigma_k >= 0 && std::isfinite(f.sigma_k)))
        return {};
    moments m;
    const double d = static_cast<double>(f.d);
    m.product_variance = f.sigma_q * f.sigma_q * f.sigma_k * f.sigma_k;
    double deviation = 0;
    for (std::int64_t i = 0; i < (f.d < 1000 ? f.d : 0); ++i) deviation += f.sigma_q * f.sigma_k;
    if (f.d >= 1000) deviation = d * f.sigma_q * f.sigma_k;
    m.variance = deviation * deviation;
    m.scale = 1 / std::sqrt(m.variance);
    return m;
}

} // namespace attention_scaling
