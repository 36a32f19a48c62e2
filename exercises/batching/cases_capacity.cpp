// Levels capacity and per-step: cases that are numbers only.
#include "cases.hpp"

namespace assay::batching_judge {

namespace {
const char* const edge = "an edge of the domain, one condition at a time";
constexpr std::int64_t ms = millisecond;
} // namespace

std::vector<Case> capacity_cases() {
    return {
        fixed("a-hundred-milliseconds", "b = 24 in 100 ms, 7 ms of wait, 1000 requests a second",
              plan_problem({24, 100 * ms, 7 * ms, 1000, 80'000'000'000, 16'060'000'000, 700'000'000})),
        fixed("load-equals-capacity", "720 requests a second are exactly 3 replicas' capacity: 3 are too few",
              plan_problem({24, 100 * ms, 35 * ms, 720, 80'000'000'000, 16'000'000'000, 1'000'000'000})),
        fixed("not-in-float64", "500 a second are exactly 3 replicas' capacity; in float64 500 / (5 / 0.03) is below 3",
              plan_problem({5, 30 * ms, 8 * ms, 500, 80'000, 16'000, 900})),
        fixed("negative-rate", "a rate below 0 is invalid", plan_problem({24, 100 * ms, 7 * ms, -1, 800, 100, 7})),
        fixed("weights-too-large", "the weights alone do not fit: no batch does",
              plan_problem({6, 40 * ms, 0, 90, 24'000'000'000, 26'000'000'000, 300'000'000})),
        fixed("nobody-comes", "a rate of 0: one replica, idle", plan_problem({5, 30 * ms, 11 * ms, 0, 700, 300, 70}),
              "0 is a valid rate, and one replica is the least there is"),
        fixed("exactly-fits", "the last request fills the memory to the byte",
              plan_problem({3, 70 * ms, 20 * ms, 50, 7'000, 1'000, 60}),
              "a quotient that is whole, beside those that are not"),
        fixed("long-batches", "an hour a batch and a million a second: products beyond 2^53",
              plan_problem({7, 3'600'000 * ms, 1, 999'999, 1'000'000'000'000'000, 3, 7}),
              "exact in 64-bit integers: a float64 product is rounded"),
        fixed("small-batch", "b = 1: batching is off", plan_problem({1, 13 * ms, 0, 500, 640, 100, 180}),
              "where one request a batch is right"),
        fixed("no-batch", "a batch of 0 is invalid", plan_problem({0, 100 * ms, 7 * ms, 1000, 800, 100, 7}), edge),
        fixed("negative-wait", "a wait below 0 is invalid", plan_problem({24, 100 * ms, -1, 1000, 800, 100, 7}), edge),
        fixed("no-time", "a batch that takes no time is invalid", plan_problem({24, 0, 7, 1000, 800, 100, 7}), edge),
        fixed("negative-memory", "memory below 0 is invalid", plan_problem({24, 9 * ms, 7, 1000, -1, 100, 7}), edge),
        fixed("negative-weights", "weights below 0 are invalid", plan_problem({24, 9 * ms, 7, 1000, 800, -1, 7}), edge),
        fixed("weightless-request", "a request takes at least a byte", plan_problem({24, 9 * ms, 7, 1000, 800, 100, 0}),
              edge),
        fixed("rate-beyond", "a rate beyond 10^6 is out of the domain",
              plan_problem({24, 9 * ms, 7, 1'000'001, 800, 100, 7}), edge),
    };
}

std::vector<Case> per_step_cases() {
    std::vector<Case> cases{
        fixed("one-long-among-short", "four slots, and one long generation in each batch",
              compare_problem({9, 2, 3, 1, 2, 11, 1, 4, 5}, 4)),
        fixed("slots-to-spare", "fewer requests than slots: one batch, and nothing to win",
              compare_problem({7, 3, 5}, 8), "where whole batches lose only what the short ones idle"),
        fixed("equal-lengths", "all of one length: both ways take the same steps", compare_problem({6, 6, 6, 6, 6}, 2),
              "a speedup of 1"),
        fixed("one-slot", "one slot: no batch at all", compare_problem({4, 1, 9, 2}, 1),
              "a speedup of 1, and a utilisation of 1"),
    };
    cases.push_back({"long-tail", "300 generations of very unequal length, 16 slots",
                     [](std::uint64_t seed) {
                         Random random(seed, "long-tail");
                         std::vector<std::int64_t> lengths;
                         for (int i = 0; i < 300; ++i)
                             lengths.push_back(random.chance(0.1) ? random.integer(500, 2000) : random.integer(5, 120));
                         return compare_problem(lengths, 16);
                     },
                     "what the level is about: by how much it wins on lengths as they are"});
    return cases;
}

} // namespace assay::batching_judge
