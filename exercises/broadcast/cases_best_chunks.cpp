// Level 2: the best number of chunks.
#include "cases.hpp"

#include <limits>

namespace assay::broadcast_judge {

std::vector<Case> best_chunk_cases() {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    return {
        fixed("best-few", "6 receivers, half a second a chunk: few enough to try all k by hand",
              best_problem(12, 8, 6, 500)),
        fixed("best-thousand", "500 GB to 1000 receivers, 1 ms a chunk", best_problem(500, 10, 1000, 1),
              "the numbers of the question as it is asked"),
        fixed("best-above-the-middle", "the real optimum is 2.49, and 3 chunks are better than 2",
              best_problem(7.75, 10, 2, 1000)),
        fixed("best-below-the-middle", "the real optimum is 3.21, and 3 chunks are better than 4",
              best_problem(12.875, 10, 2, 1000), "the other side of the middle, where rounding up fails"),
        fixed("best-tie", "2 and 3 chunks take 12 s both: the smaller is asked for", best_problem(7.5, 10, 2, 1000)),
        fixed("best-tie-in-the-tree", "two numbers of chunks tie in the tree of 4 receivers, and none in the chain",
              best_problem(15, 10, 4, 1000), "a tie may be in one plan alone"),
        fixed("best-one-receiver", "no fill to shorten: each chunk more is a latency more", best_problem(12, 8, 1, 500),
              "the real optimum is 0, the best integer 1"),
        fixed("best-two-receivers", "the tree has no fill beyond its pace, the chain has", best_problem(12, 8, 2, 500),
              "the tree's real optimum is 0 while the others' is not"),
        fixed("best-slow", "a latency longer than the file: one chunk", best_problem(1, 8, 6, 20000),
              "the real optimum is below 1"),
        fixed("best-many", "50000 receivers: some 70000 chunks", best_problem(125, 10, 50000, 1),
              "a search that ends too early stops short of it"),
        fixed("best-latency-zero", "without latency more chunks are better for ever: invalid",
              best_problem(12, 8, 6, 0), "divides by zero, or searches for ever, where it is not tested"),
        fixed("best-latency-is-nan", "NaN compares false with everything", best_problem(12, 8, 6, nan),
              "a search whose test is never true, where it is not tested"),
        fixed("best-latency-is-negative", "a negative latency is invalid", best_problem(12, 8, 6, -500),
              "the root of a negative number where it is not tested"),
        fixed("best-latency-too-large", "above 10^9 ms is outside the range", best_problem(12, 8, 6, 1.001e9),
              "the upper edge of the range"),
        fixed("best-no-receivers", "0 receivers: invalid", best_problem(12, 8, 0, 500),
              "the receivers' range holds in this function too"),
    };
}

} // namespace assay::broadcast_judge
