// Takes the first logit as the largest so far, without asking whether there is one.
// Level: softmax
#include "contract.hpp"

#include <cmath>

namespace attention_scaling {

sensitivity softmax(tensor<const double, 1> logits, tensor<double, 1> p, tensor<double, 2> jacobian) {
    const auto n = logits.extent(0);
    double largest = logits(0), total = 0, squares = 0, entropy = 0;
    bool valid = true;
    for (int i = 0; i < n; ++i) {
        valid = valid && std::isfinite(logits(i));
        largest = std::fmax(largest, logits(i));
    }
    for (int i = 0; i < n; ++i) total += std::exp(logits(i) - largest);
    for (int i = 0; i < n; ++i) p(i) = valid ? std::exp(logits(i) - largest) / total : NAN;
    for (int i = 0; i < n; ++i) {
        if (p(i) > 0) entropy -= p(i) * std::log(p(i));
        for (int j = 0; j < n; ++j) {
            jacobian(i, j) = (i == j ? p(i) : 0) - p(i) * p(j);
            squares += jacobian(i, j) * jacobian(i, j);
        }
    }
    if (!valid || n == 0 || largest != largest) return {};
    return {std::sqrt(squares), entropy};
}

} // namespace attention_scaling
