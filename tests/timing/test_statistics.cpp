// Medians and their intervals: known values, and how often an interval holds the truth.
#include "catch.hpp"
#include "core/random.hpp"
#include "timing/statistics.hpp"

#include <cmath>

using namespace assay;
using namespace assay::timing;

TEST_CASE("the median of an even number of samples is the middle two's mean", "[timing]") {
    CHECK(median({}) == 0);
    CHECK(median({3}) == 3);
    CHECK(median({4, 1, 3}) == 3);
    CHECK(median({4, 1, 3, 2}) == 2.5);
}

TEST_CASE("the interval's ranks are those of the binomial tables", "[timing]") {
    const auto ranks = [](int n) {
        std::vector<double> samples;
        for (int i = n; i >= 1; --i) samples.push_back(i);
        return median_interval(samples);
    };
    CHECK(ranks(6).low == 1);
    CHECK(ranks(6).high == 6);
    CHECK(ranks(6).coverage == Approx(1 - 2.0 / 64));
    CHECK(ranks(10).low == 2); // David and Nagaraja's 0.979
    CHECK(ranks(10).high == 9);
    CHECK(ranks(10).coverage == Approx(1 - 2 * 11.0 / 1024));
    CHECK(ranks(20).low == 6);
    CHECK(ranks(20).high == 15);
    CHECK(ranks(99).low == 40);
    CHECK(ranks(99).high == 60);
}

TEST_CASE("with fewer than 6 samples there is no interval, and it says so", "[timing]") {
    const Interval none = median_interval({2, 5, 3, 1, 4});
    CHECK(none.coverage == 0);
    CHECK(none.low == 1);
    CHECK(none.high == 5);
    CHECK(median_interval({}).coverage == 0);
}

TEST_CASE("the interval holds the true median at least as often as it claims, whatever the distribution", "[timing]") {
    Random random(7, "coverage");
    const auto exponential = [&] { return -std::log(1 - random.uniform()); };
    const auto spiked = [&] { return random.chance(0.2) ? 10 + random.uniform() : 1 + random.uniform(); };
    for (const int n : {6, 9, 15, 40}) {
        int held_exponential = 0, held_spiked = 0;
        double claimed = 0;
        constexpr int trials = 4000;
        for (int trial = 0; trial < trials; ++trial) {
            std::vector<double> a, b;
            for (int i = 0; i < n; ++i) a.push_back(exponential()), b.push_back(spiked());
            const Interval first = median_interval(a), second = median_interval(b);
            claimed = first.coverage;
            held_exponential += first.low <= std::log(2.0) && std::log(2.0) <= first.high ? 1 : 0;
            held_spiked += second.low <= 1.625 && 1.625 <= second.high ? 1 : 0; // 0.8 P(1 + U <= m) = 1/2
        }
        INFO("n = " << n);
        CHECK(claimed >= 0.95);
        const double error = 3 * std::sqrt(0.05 * 0.95 / trials);
        CHECK(held_exponential / double(trials) == Approx(claimed).margin(error));
        CHECK(held_spiked / double(trials) == Approx(claimed).margin(error));
    }
}
