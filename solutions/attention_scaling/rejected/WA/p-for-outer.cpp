// diag(p) - p, broadcast along the rows.
// Level: softmax
#include "contract.hpp"

#include <cmath>

namespace attention_scaling {

sensitivity softmax(tensor<const double, 1> logits, tensor<double, 1> p, tensor<double, 2> jacobian) {
    const auto n = logits.extent(0);
    bool valid = n > 0;
    for (int i = 0; i < n; ++i) valid = valid && std::isfinite(logits(i));
    if (!valid) {
        for (int i = 0; i < n; ++i) {
            p(i) = NAN;
            for (int j = 0; j < n; ++j) jacobian(i, j) = NAN;
        }
        return {};
    }
    double largest = -INFINITY;
    for (int i = 0; i < n; ++i) largest = std::fmax(largest, logits(i));
    double total = 0, squares = 0, entropy = 0;
    for (int i = 0; i < n; ++i) total += p(i) = std::exp(logits(i) - largest);
    for (int i = 0; i < n; ++i) p(i) /= total;
    for (int i = 0; i < n; ++i) {
        if (p(i) > 0) entropy -= p(i) * std::log(p(i));
        for (int j = 0; j < n; ++j) {
            jacobian(i, j) = (i == j ? p(i) : 0) - p(j);
            squares += jacobian(i, j) * jacobian(i, j);
        }
    }
    return {std::sqrt(squares), entropy};
}

} // namespace attention_scaling
