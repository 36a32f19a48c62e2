// --here: measures this machine's peak and bandwidth and, in turn with them, a real feed-forward network, and lays what
// the roofline predicts beside what was measured.
#ifndef ASSAY_ROOFLINE_MEASURE_HPP
#define ASSAY_ROOFLINE_MEASURE_HPP

#include "core/outcome.hpp"
#include "roofline/machine.hpp"
#include "roofline/measure_bandwidth.hpp"
#include "roofline/model.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace assay::roofline {

struct HereOptions {
    Ffn ffn; // gpus = 1, element_bytes = 4
    std::vector<std::int64_t> tokens;
    std::vector<int> threads; // one set of figures each
    double seconds = 10;      // all sets together, but for what the setting up takes
    int fewest_rounds = 5;    // samples of each network, whatever the time
};

/// Median and quartiles of the samples.
struct Spread {
    double median = 0, low = 0, high = 0;
    int samples = 0;
    /// The quartiles' distance as a share of the median.
    double relative() const { return median > 0 ? (high - low) / median : 0; }
};

Spread spread_of(std::vector<double> samples);

struct HerePoint {
    std::int64_t tokens = 0;
    Times times;                 // predicted; network = 0
    bool memory_applies = false; // else the working set may lie in a cache, and memory is no bound
    bool left_out = false;       // one call takes too long for the time given: `measured` is empty
    double estimate = 0;         // seconds a call, at the least, before measuring
    Spread measured;             // seconds

    /// The bound: the longer of those times that apply.
    double predicted() const;
    /// Slower than the bound, or faster by no more than the spread: what a bound promises.
    bool holds() const;
};

struct HereFigures {
    int threads = 1;
    double peak = 0; // FLOP/s, the fastest matrix product seen
    Bandwidth bandwidth;
    std::int64_t array_bytes = 0; // that the bandwidth was measured over
    std::vector<HerePoint> points;
};

struct HereReport {
    Machine machine;
    std::string kernels; // "AVX-512"
    Ffn ffn;
    std::vector<HereFigures> figures;
};

/// Failure: no Eigen in this build, or too little memory; one sentence.
Outcome<HereReport> measure_here(const HereOptions& options);

/// From the rates to the predictions of all points; apart so that a test can give it rates that were never measured.
void predict(const Machine& machine, const Ffn& ffn, HereFigures& figures);

} // namespace assay::roofline

#endif
