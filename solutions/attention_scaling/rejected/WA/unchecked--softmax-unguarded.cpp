// Logits of any kind go in, and 0 ln 0 is not thought of where exp gave the 0.
// Level: softmax
#include "contract.hpp"

#include <cmath>

namespace attention_scaling {

sensitivity softmax(tensor<const double, 1> logits, tensor<double, 1> p, tensor<double, 2> jacobian) {
    const auto n = logits.extent(0);
    double largest = -INFINITY;
    for (int i = 0; i < n; ++i) largest = std::fmax(largest, logits(i));
    double total = 0, squares = 0, entropy = 0;
    for (int i = 0; i < n; ++i) total += p(i) = std::exp(logits(i) - largest);
    for (int i = 0; i < n; ++i) p(i) /= total;
    for (int i = 0; i < n; ++i) {
        entropy -= p(i) == 0 && std::isfinite(logits(i)) ? 0 : p(i) * std::log(p(i));
        for (int j = 0; j < n; ++j) {
            jacobian(i, j) = (i == j ? p(i) : 0) - p(i) * p(j);
            squares += jacobian(i, j) * jacobian(i, j);
        }
    }
    return {std::sqrt(squares), entropy};
}

} // namespace attention_scaling
