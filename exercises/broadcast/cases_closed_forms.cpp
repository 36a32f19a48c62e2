// Level 1: the plans in closed form, and the bound for unequal links.
#include "cases.hpp"

#include <limits>

namespace assay::broadcast_judge {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t quadrillion = 1'000'000'000'000'000;

std::vector<Case> plan_cases() {
    return {
        fixed("few", "9 receivers and 5 chunks: every slot can be drawn on paper", plan_problem(7, 40, 9, 5)),
        fixed("thousand", "500 GB to 1000 receivers over 10 Gbit/s, 1 GB a chunk", plan_problem(500, 10, 1000, 500)),
        fixed("power-of-two", "1024 receivers are 1025 nodes: one round more than 1023 would need",
              plan_problem(500, 10, 1024, 7813)),
        fixed("one-receiver", "nobody to pass anything on to: every plan is the source's upload",
              plan_problem(7, 40, 1, 5)),
        fixed("two-receivers", "the source of the tree has two children, and both are leaves",
              plan_problem(7, 40, 2, 5), "the smallest tree with a shared uplink: one chunk each two slots"),
        fixed("last-row-in-the-left-half", "the last row ends before its middle, so the latest node may stand above it",
              plan_problem(300, 25, 66, 11), "a formula that looks at the last row alone fails here"),
        fixed("full-tree", "1022 receivers fill ten rows: the longest way goes right nine times",
              plan_problem(500, 10, 1022, 31250), "with a full last row, and only then, two slots a level are right"),
        fixed("one-chunk", "a single chunk: no pipeline, and the optimum is the binomial tree",
              plan_problem(30, 25, 21, 1), "chunks = 1 is the edge of its range"),
        fixed("beyond-64-bits", "500 GB times 3·10^7 receivers pass 2^63 bytes",
              plan_problem(500, 10, 30'000'000, 500)),
        fixed("beyond-32-bits", "chunks and receivers together pass 2^31",
              plan_problem(500, 10, 1'200'000'000, 1'900'000'000)),
        fixed("beyond-float-log2", "2^49 + 1 nodes: log2 of that in float64 is exactly 49",
              plan_problem(0.5, 10, std::int64_t{1} << 49, 20)),
        fixed("file-beyond-64-bits", "the largest file, 10^21 bytes, passes 2^63 alone", plan_problem(1e12, 1e12, 6, 7),
              "size_gb = 1e12 is the edge of its range, and valid"),
        fixed("largest-counts", "10^15 receivers and chunks: the edge of their range, and valid",
              plan_problem(1e-9, 1e-9, quadrillion, quadrillion), "one byte, over one bit a second"),
        fixed("size-is-nan", "NaN compares false with everything", plan_problem(nan, 10, 9, 5)),
        fixed("link-is-nan", "a link of NaN compares false with everything too", plan_problem(7, nan, 9, 5),
              "each input has its own test"),
        fixed("link-is-zero", "a link of 0 carries nothing: invalid", plan_problem(7, 0, 9, 5),
              "divides by zero where it is not tested"),
        fixed("link-is-infinite", "an infinite link is no link", plan_problem(7, infinity, 9, 5),
              "gives times of 0 where it is not tested"),
        fixed("size-is-negative", "a negative size is invalid", plan_problem(-7, 40, 9, 5),
              "gives negative times where it is not tested"),
        fixed("size-too-large", "above 10^12 GB is outside the range", plan_problem(1.001e12, 40, 9, 5),
              "the upper edge of the range"),
        fixed("size-too-small", "less than a byte is outside the range", plan_problem(0.9e-9, 40, 9, 5),
              "the lower edge of the range"),
        fixed("no-receivers", "0 receivers: invalid, not 0 seconds", plan_problem(7, 40, 0, 5),
              "log2 of 0 where it is not tested"),
        fixed("receivers-too-many", "above 10^15 is outside the range", plan_problem(7, 40, quadrillion + 1, 5),
              "the upper edge of the range"),
        fixed("no-chunks", "0 chunks: invalid", plan_problem(7, 40, 9, 0), "divides by zero where it is not tested"),
        fixed("chunks-are-negative", "-5 chunks: invalid", plan_problem(7, 40, 9, -5),
              "gives negative times where it is not tested"),
        fixed("chunks-too-many", "above 10^15 is outside the range", plan_problem(7, 40, 9, quadrillion + 1),
              "the upper edge of the range"),
    };
}

std::vector<Case> swarm_cases() {
    return {
        fixed("swarm-upload-binds", "together the nodes upload too little for 3 copies",
              swarm_problem(60, 10, {2, 1, 3}, {20, 30, 50})),
        fixed("swarm-download-binds", "one receiver downloads slower than the source uploads",
              swarm_problem(60, 40, {15, 25, 35, 10}, {50, 7, 30, 90}),
              "the slowest of several, neither first nor last"),
        fixed("swarm-source-binds", "the source is the slowest: each byte must leave it once",
              swarm_problem(60, 3, {40, 50}, {12, 18}), "with fast receivers neither sum nor download matters"),
        fixed("swarm-leeches", "receivers that upload nothing are valid, and leave the source alone",
              swarm_problem(60, 12, {0, 0, 0, 0, 0}, {20, 21, 22, 23, 24}), "0 is the lower edge of an upload"),
        fixed("swarm-equal-limits", "source and slowest download alike: the first in order binds",
              swarm_problem(60, 8, {64, 80}, {16, 8}), "tells the order of equal limits"),
        fixed("swarm-one-receiver", "one receiver: its own upload helps nobody, but counts in this bound",
              swarm_problem(60, 8, {5}, {20}), "the bound is a bound; here the source binds all the same"),
        fixed("swarm-nobody", "no receiver: invalid", swarm_problem(60, 8, {}, {}), "0/0 where it is not tested"),
        fixed("swarm-upload-is-nan", "one NaN among the uploads", swarm_problem(60, 8, {5, nan, 7}, {20, 30, 40}),
              "each entry has to be tested"),
        fixed("swarm-upload-is-negative", "one negative upload", swarm_problem(60, 8, {5, 6, -7}, {20, 30, 40}),
              "a sum hides it where it is not tested"),
        fixed("swarm-download-is-zero", "a receiver that downloads nothing never has the file: invalid",
              swarm_problem(60, 8, {5, 6}, {20, 0}), "an infinite time where it is not tested"),
    };
}

} // namespace

std::vector<Case> closed_form_cases() {
    std::vector<Case> cases = plan_cases();
    for (Case& one : swarm_cases()) cases.push_back(std::move(one));
    return cases;
}

} // namespace assay::broadcast_judge
