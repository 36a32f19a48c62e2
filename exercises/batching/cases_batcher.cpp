// Level batcher: runs whose log is settled to the nanosecond.
#include "cases.hpp"

#include "simulate/arrivals.hpp"

namespace assay::batching_judge {

std::vector<Case> batcher_cases() {
    std::vector<Case> cases{
        fixed("oldest-waits", "arrivals at 0, 9 and 18 ms, timeout 10 ms: fires at 10, not at 28",
              batcher_problem({4, 10, 8, 100, {0, 9, 18}})),
        fixed("filled-early", "the third fills the batch at 6 ms; a fourth comes while it runs, and waits until 17",
              batcher_problem({3, 10, 6, 3, {0, 4, 6, 7}})),
        fixed("nothing-left", "a batch filled and done before its timer: at 10 ms nobody waits",
              batcher_problem({3, 10, 6, 3, {0, 4, 6, 30}})),
        fixed("full-at-completion", "two wait when the batch before them ends: they are a full batch",
              batcher_problem({2, 60, 6, 100, {0, 1, 90, 95}})),
        fixed("several-batches-wait", "five wait when a batch of two ends: two, two and one follow, in order",
              batcher_problem({2, 40, 7, 10, {0, 1, 5, 6, 7, 8, 9}})),
        fixed("queue-fills", "three may wait and five come while a batch runs: the last two are rejected",
              batcher_problem({2, 30, 3, 100, {0, 1, 10, 11, 12, 13, 14}})),
        fixed("instant-of-the-timer", "two requests arrive at the very instant of the timer: they come along",
              batcher_problem({4, 10, 8, 100, {0, 10, 10}})),
        fixed("instant-of-the-completion",
              "the oldest is overdue when the batch ends, and another arrives at that instant: they go together",
              batcher_problem({4, 10, 8, 100, {0, 20, 110}})),
        fixed("timer-outlives-batch", "a request comes while a short batch runs; its timeout passes after that",
              batcher_problem({2, 25, 4, 20, {0, 0, 5}}), "a timer that goes off on a free accelerator"),
        fixed("alone", "one request, a batch of one", batcher_problem({1, 10, 1, 100, {3}}), "the smallest run"),
        fixed("no-timeout", "timeout 0: those of one instant go together, and nobody waits for others",
              batcher_problem({4, 0, 8, 5, {2, 2, 2, 30}}), "the edge of what is valid"),
        fixed("nobody", "no arrivals at all", batcher_problem({4, 10, 8, 100, {}}), "an empty run"),
        fixed("fills-at-the-timer", "the last place is filled at the very instant of the timer",
              batcher_problem({3, 10, 6, 100, {0, 5, 10, 10}}), "full comes first, and the fourth waits"),
    };
    cases.push_back({"poisson", "300 requests at random instants, at three quarters of the capacity",
                     [](std::uint64_t seed) {
                         Random random(seed, "poisson");
                         Run run{5, 12 * millisecond, 9, 40 * millisecond, {}, true};
                         run.arrivals = poisson_arrivals(random, 95, 300);
                         return batcher_problem(run);
                     },
                     "all of it together"});
    cases.push_back({"coarse-clock", "400 requests on a clock of 5 ms: all kinds of instants coincide",
                     [](std::uint64_t seed) {
                         Random random(seed, "coarse-clock");
                         Run run{4, 10, 7, 20, {}};
                         for (const Time at : burst_arrivals(random, 50, 4, 0, 400))
                             run.arrivals.push_back(at / (5 * millisecond) * 5);
                         return batcher_problem(run);
                     },
                     "ties of every kind, in every state"});
    cases.push_back({"long-day", "20000 requests; once, one arrives at the instant of the timer and fills the batch",
                     [](std::uint64_t seed) {
                         Random random(seed, "long-day");
                         return batcher_problem(long_day(random, 20'000));
                     },
                     "what happens once a day"});
    return cases;
}

} // namespace assay::batching_judge
