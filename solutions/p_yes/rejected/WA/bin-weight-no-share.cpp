// Sums of weights, never divided by all weight.
// Level: calibration
#include "contract.hpp"

#include "calibrate.hpp"

#include <algorithm>
#include <cmath>

namespace p_yes {

assessment assess(tensor<const double, 1> p, tensor<const bool, 1> labels, tensor<const double, 1> weights,
                  std::int64_t bins, double cost_false_yes, double cost_false_no, tensor<double, 1> bin_weight,
                  tensor<double, 1> bin_p, tensor<double, 1> bin_yes) {
    bool good = bins > 0 && cost_false_yes > 0 && cost_false_no > 0 && std::isfinite(cost_false_yes + cost_false_no);
    double total = 0;
    for (int i = 0; i < p.extent(0); ++i) {
        good = good && p(i) >= 0 && p(i) <= 1 && weights(i) >= 0 && std::isfinite(weights(i));
        total += weights(i);
    }
    good = good && total > 0;
    for (int m = 0; m < bins; ++m) bin_weight(m) = bin_p(m) = bin_yes(m) = good ? 0 : NAN;
    if (!good) return {};
    for (int i = 0; i < p.extent(0); ++i) {
        const int m = std::max(0, int(std::ceil(p(i) * bins)) - 1);
        bin_weight(m) += weights(i);
        bin_p(m) += weights(i) * p(i);
        bin_yes(m) += weights(i) * labels(i);
    }
    double ece = 0;
    for (int m = 0; m < bins; ++m) {
        if (bin_weight(m) == 0) continue;
        bin_p(m) /= bin_weight(m);
        bin_yes(m) /= bin_weight(m);
        ece += bin_weight(m) * std::fabs(bin_yes(m) - bin_p(m));
    }
    const double threshold = cost_false_yes / (cost_false_yes + cost_false_no);
    double said = 0, cost = 0;
    for (int i = 0; i < p.extent(0); ++i) {
        const bool yes = p(i) >= threshold;
        said += yes ? weights(i) : 0;
        if (yes && !labels(i)) cost += weights(i) * cost_false_yes;
        if (!yes && labels(i)) cost += weights(i) * cost_false_no;
    }
    return {ece, threshold, said / total, cost / total};
}

} // namespace p_yes
