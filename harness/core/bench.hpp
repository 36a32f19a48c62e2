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

/// A function whose memory (and time) is measured on longer and longer problems.
struct Growth {
    std::string id;                    // the contract's function
    std::string dimension;             // what grows: "L"
    std::string beside;                // what does not: "D = 8"; may be ""
    std::vector<std::int64_t> lengths; // ascending, each twice the one before
    std::size_t at_once = 0;           // how many of them every check takes, the shortest ones; --speed takes all
    std::function<Problem(std::int64_t length, std::uint64_t seed)> make;
    /// What must not be held, and its bytes: "a matrix of all scores", 4 L^2.
    std::string matrix;
    std::function<double(std::int64_t length)> matrix_bytes;
    bool timed = false;    // time is wanted to grow as L^1 too; memory always is
    std::string otherwise; // what it shows where it grows faster: "every pair is computed: the window is not used"
};

/// A level by time: the ratio of the readable solution's time to the attempt's, on the worst of the benches; or the
/// exponent with which time grows, of the worst of the functions.
struct SpeedLevel {
    std::string id;
    std::string title;
    int points = 0;                        // from exercise.toml, shared out equally over the thresholds
    std::vector<double> thresholds;        // ascending ratios; descending exponents
    std::vector<std::string> benches = {}; // ids
    std::vector<std::string> growths = {}; // ids; then there are no benches

    bool by_exponent() const { return !growths.empty(); }
};

} // namespace assay

#endif
