// How time and memory grow with the length of a problem: the exponent p of y ~ x^p with an interval, and the calls that
// the times come from.
#ifndef ASSAY_TIMING_GROWTH_HPP
#define ASSAY_TIMING_GROWTH_HPP

#include "timing/race.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace assay::timing {

struct Point {
    double x = 0, y = 0; // > 0
};

struct Exponent {
    double value = 0, low = 0, high = 0;
    double coverage = 0; // of the interval; 0 = too few points for 95 %: least and largest slope
};

/// The median slope between two points on a log-log line (Theil, Sen), in the interval of Sen (1968): between the k-th
/// least and the k-th largest slope, where Kendall's distribution, counted out, says that no more than 5 % of true
/// slopes lie outside. It takes no distribution of errors for granted. Nothing of fewer than two points.
std::optional<Exponent> exponent_of(const std::vector<Point>& points);

struct MemoryAt {
    std::int64_t length = 0, peak = 0; // bytes
    double matrix = 0;                 // bytes that need not be held
};

struct MemoryGrowth {
    std::optional<Exponent> exponent; // where at least three peaks stand out from what a peak may be off
    bool beyond = false;
};

/// `noise`: bytes by which a peak may be off. Beyond L^1 is an exponent above 1.5; where there is none, a longest
/// problem that takes a quarter of the matrix, which is a byte for each float32.
MemoryGrowth memory_growth(const std::vector<MemoryAt>& peaks, std::int64_t noise);

/// What grows is measured on, and by which clock.
struct GrowthCourse {
    std::vector<std::int64_t> lengths; // ascending
    /// Content that nobody has seen.
    std::function<Problem(std::int64_t length, int round)> make;
    /// What is wrong with an answer; "" = nothing. Called after every call.
    std::function<std::string(const Problem&, const Answer&)> wrong;
    std::function<double()> now; // seconds, for how long it goes on
};

struct GrowthRules {
    double seconds = 5;
    int fewest = 3, most = 15;  // rounds over all lengths
    double longest_call = 0.25; // seconds: once four lengths are reached, longer ones than the first that takes as long
                                // are left out
    double widest = 0.5;        // interval that still tells something, unless all of it is beyond L^1
};

struct TimeAt {
    std::int64_t length = 0;
    double seconds = 0; // the least of its calls
};

struct TimeGrowth {
    std::vector<TimeAt> times; // of the lengths that were reached
    std::optional<Exponent> exponent;
    std::string refused; // why there is none
};

/// Asks one contestant all lengths, upwards and downwards in turn, so that what slows the machine for a while slows
/// neighbouring lengths alike. Of each length the least counts, the empty call's median taken off: what else runs only
/// adds, and there are few rounds.
TimeGrowth time_growth(Contestant& contestant, const GrowthCourse& course, const GrowthRules& rules);

} // namespace assay::timing

#endif
