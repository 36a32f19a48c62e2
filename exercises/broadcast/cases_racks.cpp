// Level 3: two chains through racks.
#include "cases.hpp"

#include <limits>

namespace assay::broadcast_judge {

std::vector<Case> rack_cases() {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    return {
        fixed("racks-few", "an uplink of two links for five workers: the aware chain doesn't notice it",
              rack_problem(12, 8, 3, 5, 2.5, 4)),
        fixed("racks-narrow", "an uplink narrower than one link: crossings are slower than hops within a rack",
              rack_problem(12, 8, 3, 5, 20, 4)),
        fixed("racks-thousand", "500 GB to 25 racks of 40, oversubscribed 4 to 1, 1 GB a chunk",
              rack_problem(500, 10, 25, 40, 4, 500), "the numbers of the question as it is asked"),
        fixed("racks-wide", "less than 1 to 1: the uplink is never what binds", rack_problem(12, 8, 4, 7, 0.6, 9),
              "a stream never runs faster than a link"),
        fixed("racks-one", "one rack: nothing to alternate with, both chains are the same",
              rack_problem(12, 8, 1, 6, 3, 4)),
        fixed("racks-of-one", "one worker a rack: every hop crosses in both chains", rack_problem(12, 8, 6, 1, 3, 4),
              "the uplink of one worker is a third of its link"),
        fixed("racks-one-chunk", "one chunk: the first is the last", rack_problem(12, 8, 3, 5, 20, 1),
              "chunks = 1 is the edge of its range"),
        fixed("racks-beyond-32-bits", "70000 racks of 60000 pass 2^31 workers",
              rack_problem(500, 10, 70000, 60000, 3, 5000)),
        fixed("racks-none", "0 racks: invalid", rack_problem(12, 8, 0, 5, 2.5, 4), "the lower edge of the range"),
        fixed("racks-too-many", "above 10^7 racks is outside the range", rack_problem(12, 8, 10'000'001, 5, 2.5, 4),
              "the upper edge of the range"),
        fixed("racks-no-workers", "-5 workers: invalid", rack_problem(12, 8, 3, -5, 2.5, 4),
              "negative rates where it is not tested"),
        fixed("racks-no-chunks", "0 chunks: invalid", rack_problem(12, 8, 3, 5, 2.5, 0),
              "divides by zero where it is not tested"),
        fixed("racks-oversubscription-zero", "oversubscription 0: invalid", rack_problem(12, 8, 3, 5, 0, 4),
              "an infinite uplink where it is not tested"),
        fixed("racks-oversubscription-too-large", "above 1000 is outside the range", rack_problem(12, 8, 3, 5, 1001, 4),
              "the upper edge of the range"),
        fixed("racks-oversubscription-is-nan", "std::min(x, NaN) is x: NaN can vanish on its way",
              rack_problem(12, 8, 3, 5, nan, 4), "a finite answer where it is not tested"),
    };
}

} // namespace assay::broadcast_judge
