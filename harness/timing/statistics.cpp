#include "timing/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace assay::timing {

double median(std::vector<double> samples) {
    if (samples.empty()) return 0;
    std::sort(samples.begin(), samples.end());
    const std::size_t half = samples.size() / 2;
    return samples.size() % 2 == 1 ? samples[half] : (samples[half - 1] + samples[half]) / 2;
}

Interval median_interval(std::vector<double> samples) {
    if (samples.empty()) return {};
    std::sort(samples.begin(), samples.end());
    const std::size_t n = samples.size();
    long double term = std::ldexp(1.0L, -static_cast<int>(n)); // C(n, k) / 2^n
    long double below = 0;                                     // P(Binomial(n, 1/2) < k)
    std::size_t k = 0;
    double coverage = 0;
    while (k < n / 2 && below + term <= 0.025) {
        below += term;
        term *= static_cast<long double>(n - k) / static_cast<long double>(k + 1);
        ++k;
        coverage = static_cast<double>(1 - 2 * below);
    }
    if (k == 0) return {samples.front(), samples.back(), 0};
    return {samples[k - 1], samples[n - k], coverage};
}

} // namespace assay::timing
