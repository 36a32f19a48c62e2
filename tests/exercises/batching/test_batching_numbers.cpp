// The worked numbers of the statement, the calculators against second derivations, and the reference against its own
// promises.
#include "batching.hpp"
#include "judge/verify.hpp"

#include <algorithm>
#include <cmath>

using namespace assay;
using namespace assay::batching_test;

namespace {

std::vector<std::int64_t> drawn(Random& random, std::int64_t count, std::int64_t low, std::int64_t high) {
    std::vector<std::int64_t> all;
    for (; count > 0; --count) all.push_back(random.integer(low, high));
    return all;
}

} // namespace

TEST_CASE("batching: the statement's service", "[batching]") {
    const Truths t = truths_of(
        plan_problem({24, 100 * millisecond, 7 * millisecond, 1000, 80'000'000'000, 16'060'000'000, 700'000'000}));
    CHECK(number(t, "throughput") == Approx(240));
    CHECK(number(t, "latency") == Approx(0.107));
    CHECK(number(t, "replicas") == 5);
    CHECK(number(t, "utilisation") == Approx(0.833333).epsilon(1e-6));
    CHECK(number(t, "largest_batch") == 91);
    CHECK(number(t, "largest_throughput") == Approx(910));
    const auto replicas = [](std::int64_t rate) {
        return number(truths_of(plan_problem({24, 100 * millisecond, 0, rate, 1, 0, 1})), "replicas");
    };
    CHECK(replicas(719) == 3);
    CHECK(replicas(720) == 4);
    CHECK(replicas(0) == 1);
}

TEST_CASE("batching: replicas and batch are the least and the largest that do, by counting", "[batching]") {
    Random random(4, "plan");
    for (int i = 0; i < 200; ++i) {
        const std::int64_t batch = random.integer(1, 9), time = random.integer(1, 50) * 100 * millisecond,
                           rate = random.integer(0, 60), memory = random.integer(0, 500),
                           weights = random.integer(0, 300), request = random.integer(1, 40);
        const Truths t = truths_of(plan_problem({batch, time, 0, rate, memory, weights, request}));
        std::int64_t replicas = 1;
        while (replicas * batch * second <= rate * time) ++replicas; // what they do in `time`, and what comes
        std::int64_t fit = 0;
        while (weights + (fit + 1) * request <= memory) ++fit;
        CHECK(number(t, "replicas") == static_cast<double>(replicas));
        CHECK(number(t, "largest_batch") == static_cast<double>(fit));
    }
}

TEST_CASE("batching: arrivals at 0, 9 and 18 ms fire at 10", "[batching]") {
    const Truths t = truths_of(batcher_problem({4, 10, 8, 100, {0, 9, 18}}));
    CHECK(in_ms(t, "fired_at") == std::vector<double>{10, 10, 110});
    CHECK(in_ms(t, "answered_at") == std::vector<double>{110, 110, 210});
    const Truths late = truths_of(batcher_problem({4, 10, 8, 100, {0, 9, 18}}), "timer-restarted");
    CHECK(in_ms(late, "fired_at") == std::vector<double>{28, 28, 28});
    // One more at the instant of the completion goes along with the third.
    const Truths along = truths_of(batcher_problem({4, 10, 8, 100, {0, 9, 18, 110}}));
    CHECK(in_ms(along, "fired_at") == std::vector<double>{10, 10, 110, 110});
}

TEST_CASE("batching: every mistake is rejected at its level and named", "[batching]") {
    const SelfTest test = verify_oracle(exercise(), 0);
    for (const std::string& fault : test.faults) FAIL_CHECK(fault);
    CHECK(test.right_oracle_passes);
    CHECK(test.mistakes.size() == 72);
}

TEST_CASE("batching: a load test is a run of the batcher, and its percentiles leave enough below", "[batching]") {
    Random random(7, "load-test");
    for (int i = 0; i < 200; ++i) {
        Run run{random.integer(1, 6), random.integer(0, 40), 1 << 20, random.integer(1, 60), {}, true};
        run.arrivals = drawn(random, random.integer(1, 120), 0, 1500);
        std::sort(run.arrivals.begin(), run.arrivals.end());
        const Truths played = truths_of(batcher_problem(run)), tested = truths_of(load_test_problem(run));
        std::vector<double> latencies = item(played, "answered_at").value;
        for (std::size_t k = 0; k < latencies.size(); ++k) latencies[k] -= static_cast<double>(run.arrivals[k]);
        REQUIRE(item(tested, "latencies").value == latencies);
        // The definition: the smallest that occurred with at least p % not above it.
        for (const auto& [name, p] : {std::pair{"p50", 50}, {"p95", 95}, {"p99", 99}}) {
            std::vector<double> good;
            for (const double one : latencies)
                if (100 * std::count_if(latencies.begin(), latencies.end(), [&](double x) { return x <= one; }) >=
                    p * static_cast<long>(latencies.size()))
                    good.push_back(one);
            CHECK(number(tested, name) == *std::min_element(good.begin(), good.end()));
        }
    }
}

TEST_CASE("batching: the best timeout by comparing all", "[batching]") {
    Random random(8, "best-timeout");
    int none = 0;
    for (int i = 0; i < 200; ++i) {
        Run run{random.integer(1, 6), 0, 1, random.integer(1, 60), {}, true};
        run.arrivals = drawn(random, random.integer(1, 60), 0, 1500);
        std::sort(run.arrivals.begin(), run.arrivals.end());
        std::vector<std::int64_t> timeouts = drawn(random, 6, 0, 80);
        std::sort(timeouts.begin(), timeouts.end());
        const std::int64_t slo = random.integer(20, 200);
        std::vector<std::tuple<double, std::int64_t, double>> met;
        for (const std::int64_t timeout : timeouts) {
            run.timeout = timeout;
            const Truths t = truths_of(load_test_problem(run));
            if (number(t, "p99") <= static_cast<double>(slo))
                met.emplace_back(number(t, "batches"), timeout, number(t, "p99"));
        }
        const Truths best = truths_of(best_timeout_problem(run, timeouts, slo));
        std::sort(met.begin(), met.end());
        none += met.empty() ? 1 : 0;
        CHECK(number(best, "timeout") == (met.empty() ? -1 : static_cast<double>(std::get<1>(met[0]))));
        CHECK(number(best, "batches") == (met.empty() ? -1 : std::get<0>(met[0])));
        CHECK(number(best, "p99") == (met.empty() ? -1 : std::get<2>(met[0])));
    }
    CHECK(none > 10);
    CHECK(none < 190);
}

TEST_CASE("batching: whole batches and per-step ones, step by step", "[batching]") {
    const Truths worked = truths_of(compare_problem({9, 2, 3, 1, 2, 11, 1, 4, 5}, 4));
    CHECK(number(worked, "whole_steps") == 25);
    CHECK(number(worked, "per_step_steps") == 13);
    CHECK(number(worked, "speedup") == Approx(1.92308).epsilon(1e-5));
    CHECK(number(worked, "whole_mean") == Approx(15.6667).epsilon(1e-5));
    CHECK(number(worked, "per_step_mean") == Approx(5.66667).epsilon(1e-5));
    CHECK(number(worked, "whole_utilisation") == Approx(0.38));
    CHECK(number(worked, "per_step_utilisation") == Approx(0.730769).epsilon(1e-6));
    Random random(9, "per-step");
    for (int i = 0; i < 200; ++i) {
        const std::vector<std::int64_t> lengths = drawn(random, random.integer(1, 40), 1, 30);
        const std::int64_t slots = random.integer(1, 9);
        const Truths t = truths_of(compare_problem(lengths, slots));
        for (const bool whole : {true, false}) {
            std::vector<std::int64_t> left; // of those in a slot
            std::size_t next = 0;
            std::int64_t steps = 0, sum = 0, in_batch = 0;
            while (next < lengths.size() || !left.empty()) {
                if (!whole || left.empty()) {
                    while (next < lengths.size() && static_cast<std::int64_t>(left.size()) < slots)
                        left.push_back(lengths[next++]);
                    in_batch = static_cast<std::int64_t>(left.size());
                }
                ++steps;
                for (std::int64_t& one : left) --one;
                const auto gone = std::count_if(left.begin(), left.end(), [](std::int64_t one) { return one <= 0; });
                if (!whole) {
                    sum += gone * steps;
                    std::erase_if(left, [](std::int64_t one) { return one <= 0; });
                } else if (gone == static_cast<std::ptrdiff_t>(left.size())) {
                    sum += in_batch * steps;
                    left.clear();
                }
            }
            const std::string way = whole ? "whole" : "per_step";
            CHECK(number(t, way + "_steps") == static_cast<double>(steps));
            CHECK(number(t, way + "_mean") == Approx(static_cast<double>(sum) / static_cast<double>(lengths.size())));
        }
    }
}

TEST_CASE("batching: halving keeps every promise, whatever fails", "[batching]") {
    std::size_t failures = 0, given_up = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        Random random(seed, "faults");
        const Problem problem = random_faults_problem(random);
        REQUIRE(valid(problem));
        const Workload work = workload_of(problem);
        Reference reference(work.settings, true, {});
        World world(work, reference);
        world.run();
        INFO("seed " << seed);
        if (world.violation()) FAIL_CHECK(world.violation()->sentence);
        for (const Entry& entry : world.log) {
            failures += entry.kind == Kind::failed || entry.kind == Kind::died ? 1u : 0u;
            given_up += entry.kind == Kind::given_up ? 1u : 0u;
        }
        // Everybody has one end.
        std::vector<int> ends(work.arrivals.size(), 0);
        for (const Entry& entry : world.log)
            if (entry.kind == Kind::answered || entry.kind == Kind::given_up || entry.kind == Kind::rejected)
                ++ends[static_cast<std::size_t>(entry.request)];
        CHECK(std::count(ends.begin(), ends.end(), 1) == static_cast<std::ptrdiff_t>(ends.size()));
    }
    CHECK(failures > 500);
    CHECK(given_up > 200);
}

TEST_CASE("batching: random problems are valid and answered", "[batching]") {
    std::vector<std::string> routes;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const Problem problem = exercise().random(seed);
        REQUIRE(exercise().valid(problem));
        REQUIRE_FALSE(truths_of(problem).empty());
        if (std::find(routes.begin(), routes.end(), problem.route) == routes.end()) routes.push_back(problem.route);
    }
    CHECK(routes.size() == 6);
}
