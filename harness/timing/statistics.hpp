// Medians with an interval that takes no distribution for granted: times of calls have long tails on one side.
#ifndef ASSAY_TIMING_STATISTICS_HPP
#define ASSAY_TIMING_STATISTICS_HPP

#include <vector>

namespace assay::timing {

/// Of no samples: 0.
double median(std::vector<double> samples);

struct Interval {
    double low = 0, high = 0;
    /// How often an interval made so holds the true median, whatever the distribution; 0 = too few samples for 95 %:
    /// low and high are then the least and the greatest.
    double coverage = 0;
};

/// The narrowest pair of order statistics x(k), x(n+1-k) that holds the median with a probability of 95 % at the least:
/// 1 - 2 P(Binomial(n, 1/2) < k). From 6 samples on there is one (David and Nagaraja, Order Statistics, 7.1).
Interval median_interval(std::vector<double> samples);

} // namespace assay::timing

#endif
