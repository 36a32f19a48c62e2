// float32 loses half of the digits that the contract keeps.
// Level: moments
#include "contract.hpp"

#include <cmath>

namespace attention_scaling {

moments independent(features f) {
    if (!(f.d >= 1 && f.sigma_q >= 0 && std::isfinite(f.sigma_q) && f.sigma_k >= 0 && std::isfinite(f.sigma_k)))
        return {};
    const float q = static_cast<float>(f.sigma_q), k = static_cast<float>(f.sigma_k);
    moments m;
    m.product_variance = q * q * k * k;
    m.variance = static_cast<float>(f.d) * q * q * k * k;
    m.scale = 1 / std::sqrt(static_cast<float>(f.d) * q * q * k * k);
    return m;
}

} // namespace attention_scaling
