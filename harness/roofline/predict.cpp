// What was measured, judged: spreads, predictions, and whether the bound holds.
#include "roofline/measure.hpp"

#include <algorithm>
#include <cmath>

namespace assay::roofline {

namespace {

/// Between two neighbours in proportion, as numpy's and R's default.
double quantile(const std::vector<double>& sorted, double share) {
    const double at = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(std::floor(at));
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (at - std::floor(at)) * (sorted[above] - sorted[below]);
}

} // namespace

Spread spread_of(std::vector<double> samples) {
    Spread spread;
    spread.samples = static_cast<int>(samples.size());
    if (samples.empty()) return spread;
    std::sort(samples.begin(), samples.end());
    spread.median = quantile(samples, 0.5);
    spread.low = quantile(samples, 0.25);
    spread.high = quantile(samples, 0.75);
    return spread;
}

double HerePoint::predicted() const { return memory_applies ? std::max(times.compute, times.memory) : times.compute; }

bool HerePoint::holds() const { return measured.median >= predicted() * (1 - measured.relative()); }

void predict(const Machine& machine, const Ffn& ffn, HereFigures& figures) {
    // STREAM wants arrays of four times the cache; below twice of it the measured rate is not memory's.
    const bool measured_memory = machine.cache_bytes > 0 && static_cast<double>(figures.array_bytes) >=
                                                                2 * static_cast<double>(machine.cache_bytes);
    const Ceilings ceilings{figures.peak, figures.bandwidth.best(), 0};
    for (HerePoint& point : figures.points) {
        const auto tokens = static_cast<double>(point.tokens);
        point.times = times(ffn, ceilings, tokens);
        // A network of at least the arrays' size finds no greater part of itself in a cache than they did.
        const Work needed = work(ffn, tokens);
        point.memory_applies = measured_memory && needed.weight_bytes + needed.activation_bytes >=
                                                      static_cast<double>(figures.array_bytes);
    }
}

} // namespace assay::roofline
