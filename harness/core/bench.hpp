// Problems to time attempts on, and what each of them takes at the least.
#ifndef ASSAY_CORE_BENCH_HPP
#define ASSAY_CORE_BENCH_HPP

#include "core/problem.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace assay {

/// Counted from the formula, for the algorithm that does the least: no implementation can do with less.
struct Cost {
    double flops = 0;        // multiplications and additions, a fused pair as 2; exponentials apart
    double exponentials = 0; // of the type that the contract computes in
    double bytes = 0;        // inputs read once and outputs written once
    double state_bytes = 0;  // beside those, what the streaming form has to hold: O(L), not O(L^2)
};

struct Bench {
    std::string id;  // "1x8x1024x64"
    std::string why; // what it shows, in a line
    /// Fresh content from each seed, always of the same shape. Called while contestants wait: fast.
    std::function<Problem(std::uint64_t seed)> make;
    std::function<Cost(const Problem&)> cost;
    /// The dimension of which a timed answer is checked at a few indices alone, drawn anew each time: an oracle in
    /// float64 takes longer than what it checks. "" = the whole answer.
    std::string rows = {};
    /// The problem of these rows alone. Empty: each tensor that runs over `rows` is taken at them.
    std::function<Problem(const Problem&, const Index& kept)> part = {};
};

/// A level by time: the ratio of the readable solution's time to the attempt's, on the worst of the benches.
struct SpeedLevel {
    std::string id;
    std::string title;
    int points = 0;                   // from exercise.toml, shared out equally over the thresholds
    std::vector<double> thresholds;   // ascending ratios
    std::vector<std::string> benches; // ids
};

} // namespace assay

#endif
