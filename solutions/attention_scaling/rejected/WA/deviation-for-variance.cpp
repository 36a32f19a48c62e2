// Calls the standard deviation the variance.
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
    m.variance = std::sqrt(d * m.product_variance);
    m.scale = 1 / m.variance;
    return m;
}

} // namespace attention_scaling
