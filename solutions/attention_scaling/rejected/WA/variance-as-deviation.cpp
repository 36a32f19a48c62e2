// Logits with a standard deviation of d.
// Level: saturation
#include "contract.hpp"

#include <cmath>
#include <vector>

namespace attention_scaling {

namespace {

void measure(double deviation, std::int64_t keys, double& largest, double& entropy, double& norm) {
    const double n = static_cast<double>(keys), step = deviation * std::sqrt(3 / (n * n - 1));
    std::vector<double> p;
    double total = 0, squares = 0;
    for (std::int64_t j = 0; j < keys; ++j) {
        p.push_back(std::exp(2 * step * static_cast<double>(j - keys + 1))); // less the last, the largest
        total += p.back();
    }
    entropy = 0;
    for (double& one : p) one /= total;
    for (std::size_t i = 0; i < p.size(); ++i) {
        if (p[i] > 0) entropy -= p[i] * std::log(p[i]);
        for (std::size_t j = 0; j < p.size(); ++j) {
            const double entry = i == j ? p[i] * (1 - p[i]) : p[i] * p[j];
            squares += entry * entry;
        }
    }
    largest = p.back();
    norm = std::sqrt(squares);
}

} // namespace

comparison saturation(std::int64_t d, std::int64_t keys) {
    if (d < 1 || keys < 2) return {};
    comparison c;
    const double width = static_cast<double>(d);
    c.deviation_unscaled = width;
    c.deviation_by_root = std::sqrt(width);
    c.deviation_by_d = 1;
    measure(c.deviation_unscaled, keys, c.largest_unscaled, c.entropy_unscaled, c.norm_unscaled);
    measure(c.deviation_by_root, keys, c.largest_by_root, c.entropy_by_root, c.norm_by_root);
    measure(c.deviation_by_d, keys, c.largest_by_d, c.entropy_by_d, c.norm_by_d);
    return c;
}

} // namespace attention_scaling
