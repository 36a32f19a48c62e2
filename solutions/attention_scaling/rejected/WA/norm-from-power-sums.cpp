// sqrt(S2 - 2 S3 + S2^2): equal on paper, but cancels where p is nearly one-hot.
// Level: softmax
#include "contract.hpp"

#include <cmath>

namespace attention_scaling {

sensitivity softmax(tensor<const double, 1> logits, tensor<double, 1> p, tensor<double, 2> jacobian) {
    const auto n = logits.extent(0);
    bool valid = n > 0;
    for (int i = 0; i < n; ++i) valid = valid && std::isfinite(logits(i));
    double largest = -INFINITY, total = 0, s2 = 0, s3 = 0, entropy = 0;
    for (int i = 0; i < n; ++i) largest = std::fmax(largest, logits(i));
    for (int i = 0; i < n; ++i) total += std::exp(logits(i) - largest);
    for (int i = 0; i < n; ++i) {
        p(i) = valid ? std::exp(logits(i) - largest) / total : NAN;
        if (p(i) > 0) entropy -= p(i) * std::log(p(i));
        s2 += p(i) * p(i);
        s3 += p(i) * p(i) * p(i);
    }
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) jacobian(i, j) = (i == j ? p(i) : 0) - p(i) * p(j);
    if (!valid) return {};
    return {std::sqrt(s2 - 2 * s3 + s2 * s2), entropy};
}

} // namespace attention_scaling
