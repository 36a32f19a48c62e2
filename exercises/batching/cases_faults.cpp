// Level faults: runs that may go several ways, held to promises.
#include "cases.hpp"

#include "simulate/arrivals.hpp"

namespace assay::batching_judge {

namespace {

std::vector<std::int64_t> ones(std::size_t count) { return std::vector<std::int64_t>(count, 1); }

/// `count` requests at once, into one batch.
Problem one_batch(std::int64_t count, std::vector<std::int64_t> poison, std::vector<std::int64_t> deaths) {
    const std::vector<std::int64_t> arrivals(static_cast<std::size_t>(count), 0);
    return faults_problem({count, 10, 2 * count, 20, arrivals},
                          {100, 0, ones(arrivals.size()), std::move(poison), std::move(deaths)});
}

} // namespace

std::vector<Case> faults_cases() {
    std::vector<Case> cases{
        fixed("padded-size",
              "lengths 2, 9, 2 and a budget of 20: two rows of 9 fit, three do not, whatever they sum to",
              faults_problem({4, 10, 8, 20, {0, 1, 2, 3}}, {20, 0, {2, 9, 2, 1}, {}, {}})),
        fixed("padded-overdue", "lengths 2, 9, 2 are overdue when a batch ends, on a budget of 20: two of them go",
              faults_problem({4, 10, 8, 20, {0, 11, 12, 13}}, {20, 0, {1, 2, 9, 2}, {}, {}}),
              "tells a budget that is not kept from one that fills no batch"),
        fixed("long-one-in-front", "a long request is at the front: shorter ones behind it wait their turn",
              faults_problem({4, 10, 8, 20, {0, 1, 2, 3, 4}}, {12, 0, {9, 1, 2, 7, 1}, {}, {}}),
              "first come, first served, whatever the lengths"),
        fixed("long-one-behind", "a long request is third: the two before it are a full batch",
              faults_problem({4, 10, 8, 20, {0, 1, 2, 3, 4}}, {12, 0, {2, 1, 8, 3, 1}, {}, {}}),
              "full before the limit of requests"),
        fixed("dies-mid-batch", "the accelerator dies under the first batch: both of its requests are answered later",
              faults_problem({2, 10, 6, 20, {0, 1, 5, 6}}, {100, 0, ones(4), {}, {0}})),
        fixed("dies-under-one", "the accelerator dies under a batch of one: that is no proof of poison",
              faults_problem({4, 10, 8, 20, {0}}, {100, 0, ones(1), {}, {0}}), "where a batch of one is no proof"),
        fixed("one-in-eight", "one poison input among eight: seven are answered, at most six retries",
              one_batch(8, {5}, {})),
        fixed("poison-alone", "a batch of one fails: nothing is left to isolate", one_batch(1, {0}, {}),
              "the end of every halving"),
        fixed("one-in-four", "one poison input among four: four retries may be needed", one_batch(4, {1}, {}),
              "halving and one by one cost the same here"),
        fixed("two-in-sixteen", "two poison inputs, far apart", one_batch(16, {2, 13}, {}),
              "the bound counts for each of them"),
        fixed("all-poison", "every request of a batch is poison", one_batch(4, {0, 1, 2, 3}, {}), "nobody is left"),
        fixed("dies-while-halving", "the accelerator dies while a half is retried", one_batch(8, {3}, {1, 3}),
              "both failures at once"),
        fixed("dies-again", "three accelerators in a row die under the same batch", one_batch(3, {}, {0, 1, 2}),
              "a death costs one retry each time"),
        fixed("others-come-meanwhile", "requests arrive while a failed batch is taken apart",
              faults_problem({4, 10, 8, 20, {0, 0, 0, 0, 15, 22, 31, 44, 90}}, {100, 0, ones(9), {2}, {}}),
              "they must be served as well"),
        fixed("flight-outside-the-queue", "four come while four are in flight: the queue has room for all",
              faults_problem({4, 10, 4, 20, {0, 0, 0, 0, 5, 6, 7, 8}}, {100, 0, ones(8), {}, {}}),
              "tells those in flight from suspects"),
        fixed("suspects-outside-the-queue",
              "four come while two suspects wait for their retry: the queue has room for all",
              faults_problem({4, 10, 4, 20, {0, 0, 0, 0, 25, 26, 27, 28}}, {100, 0, ones(8), {3}, {}})),
    };
    cases.push_back({"bad-day", "250 requests of 1 to 40 tokens, a poison input in 25, a death in 15 batches",
                     [](std::uint64_t seed) {
                         Random random(seed, "bad-day");
                         Run run{8, 10 * millisecond, 24, 10 * millisecond, {}, true};
                         run.arrivals = poisson_arrivals(random, 180, 250);
                         Faults faults{160, 100 * microsecond, {}, {}, {}};
                         for (std::int64_t i = 0; i < 250; ++i) {
                             faults.lengths.push_back(random.integer(1, 40));
                             if (random.chance(0.04)) faults.poison.push_back(i);
                         }
                         for (std::int64_t batch = 0; batch < 120; ++batch)
                             if (random.chance(1.0 / 15)) faults.deaths.push_back(batch);
                         return faults_problem(run, faults);
                     },
                     "all of it together"});
    return cases;
}

} // namespace assay::batching_judge
