// Level slo: load tests and searches, in nanoseconds.
#include "cases.hpp"

#include "simulate/arrivals.hpp"

#include <functional>

namespace assay::batching_judge {

namespace {

constexpr Time ms = millisecond;

Run in_ms(std::int64_t max_batch, Time timeout, Time batch_time, std::vector<Time> arrivals) {
    for (Time& arrival : arrivals) arrival *= ms;
    return {max_batch, timeout * ms, 0, batch_time * ms, std::move(arrivals)};
}

std::vector<Time> times(std::initializer_list<Time> in_milliseconds) {
    std::vector<Time> all;
    for (const Time one : in_milliseconds) all.push_back(one * ms);
    return all;
}

Case drawn(std::string id, std::string why, std::function<Problem(Random&)> make, std::string stays = "") {
    return {id, std::move(why),
            [id, make = std::move(make)](std::uint64_t seed) {
                Random random(seed, id);
                return make(random);
            },
            std::move(stays)};
}

Run eights(Random& random, double rate, std::int64_t count) {
    Run run{8, 20 * ms, 0, 100 * ms, {}};
    run.arrivals = poisson_arrivals(random, rate, count);
    return run;
}

} // namespace

std::vector<Case> slo_cases() {
    return {
        fixed("three-arrivals", "0, 9 and 18 ms, timeout 10 ms, 100 ms a batch: latencies 110, 101, 192",
              load_test_problem(in_ms(4, 10, 100, {0, 9, 18}))),
        fixed("bad-between-good", "of the timeouts 0, 10, 40, 45 and 60 ms all but 40 meet the SLO of 175 ms",
              best_timeout_problem(in_ms(4, 0, 100, {0, 40, 45, 500, 540, 545}), times({0, 10, 40, 45, 60}), 175 * ms)),
        fixed("all-meet", "every timeout meets the SLO of 195 ms: 80 ms is the smallest of those with fewest batches",
              best_timeout_problem(in_ms(3, 0, 100, {0, 5, 70, 600, 605, 670}), times({0, 5, 80, 90}), 195 * ms)),
        drawn("two-hundred", "200 requests: 95 % and 99 % of them are whole numbers",
              [](Random& random) { return load_test_problem(eights(random, 60, 200)); }),
        fixed("late-joiners", "few wait long and most join late: mean and median stay low while p99 passes 172 ms",
              best_timeout_problem(in_ms(4, 0, 100, {0, 28, 29, 600, 658, 659, 1200, 1288, 1289, 1800, 1918, 1919}),
                                   times({0, 30, 60, 90, 120}), 172 * ms)),
        fixed("mostly-alone", "most wait out the timeout: the median rises with it, and 175 ms is met to the point",
              best_timeout_problem(in_ms(4, 0, 100, {0, 600, 655, 1200, 1285, 1800, 1915}), times({0, 30, 60, 90, 120}),
                                   175 * ms),
              "the median rises with the timeout, the mean less"),
        drawn(
            "poisson-search", "1000 requests, twelve timeouts to choose from, p99 within 250 ms",
            [](Random& random) {
                return best_timeout_problem(eights(random, 45, 1000),
                                            times({0, 2, 5, 10, 20, 30, 40, 60, 80, 120, 160, 240}), 250 * ms);
            },
            "a search as it is in life"),
        fixed("one-arrival", "one latency is every percentile", load_test_problem(in_ms(4, 10, 100, {5})),
              "the smallest load"),
        drawn(
            "a-few", "37 requests: no percentile falls on a whole rank",
            [](Random& random) { return load_test_problem(eights(random, 60, 37)); }, "ranks that must be rounded up"),
        drawn(
            "light-load", "one request in five timeouts: nearly every batch holds one",
            [](Random& random) { return load_test_problem(eights(random, 10, 500)); },
            "latency is timeout and batch time"),
        drawn(
            "saturation", "as many requests as the batches hold: they fill, and the timeout hardly matters",
            [](Random& random) { return load_test_problem(eights(random, 80, 2000)); },
            "the queue grows, and no timeout helps"),
        fixed("none-will-do", "no timeout meets an SLO below the batch's own time",
              best_timeout_problem(in_ms(4, 0, 100, {0, 9, 18}), times({0, 10, 20}), 99 * ms),
              "there may be no answer"),
        drawn(
            "ties-at-saturation", "batches fill before any of these timeouts: the smallest is as good",
            [](Random& random) {
                Run run = eights(random, 200, 400);
                return best_timeout_problem(run, times({150, 200, 300, 500}), 10'000 * ms);
            },
            "at saturation the timeout decides nothing"),
    };
}

} // namespace assay::batching_judge
