// `sigma < 0` is false for NaN, so 0 * NaN is the only thing between it and the answer: the scale is not NaN.
// Level: moments
#include "contract.hpp"

#include <cmath>

namespace attention_scaling {

moments independent(features f) {
    if (f.d < 1 || f.sigma_q < 0 || f.sigma_k < 0 || std::isinf(f.sigma_q) || std::isinf(f.sigma_k)) return {};
    moments m;
    m.product_variance = f.sigma_q * f.sigma_q * f.sigma_k * f.sigma_k;
    m.variance = std::fmax(0, static_cast<double>(f.d) * m.product_variance); // fmax drops NaN
    m.scale = 1 / std::sqrt(m.variance);
    return m;
}

} // namespace attention_scaling
