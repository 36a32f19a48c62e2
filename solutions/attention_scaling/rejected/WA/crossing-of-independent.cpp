// Compares the mean with the deviation of independent entries.
// Level: after-training
#include "contract.hpp"

#include <cmath>

namespace attention_scaling {

logits_after_training aligned(aligned_features f) {
    if (!(std::fabs(f.rho) <= 1 && f.d >= 1 && f.sigma_q >= 0 && std::isfinite(f.sigma_q) && f.sigma_k >= 0 &&
          std::isfinite(f.sigma_k)))
        return {};
    const double d = static_cast<double>(f.d), s = f.sigma_q * f.sigma_k;
    logits_after_training t;
    t.mean_by_root = std::sqrt(d) * f.rho * s;
    t.deviation_by_root = s * std::sqrt(1 + f.rho * f.rho);
    t.mean_by_d = f.rho * s;
    t.deviation_by_d = s * std::sqrt((1 + f.rho * f.rho) / d);
    t.crossing = 1 / (f.rho * f.rho);
    return t;
}

} // namespace attention_scaling
