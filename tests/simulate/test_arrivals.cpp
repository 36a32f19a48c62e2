// Workloads: right in distribution, and the same on every machine.
#include "catch.hpp"

#include "simulate/arrivals.hpp"

#include <algorithm>
#include <cmath>

using namespace assay;

TEST_CASE("exponential draws have the distribution they should") {
    Random random(11, "exponential");
    constexpr int count = 200000;
    double sum = 0, squares = 0;
    std::vector<double> draws;
    for (int i = 0; i < count; ++i) {
        draws.push_back(exponential(random));
        REQUIRE(draws.back() >= 0);
        sum += draws.back();
        squares += draws.back() * draws.back();
    }
    // Standard errors: of the mean 1/sqrt(n), of the second moment sqrt(20/n); five of them.
    CHECK(std::fabs(sum / count - 1) < 5 / std::sqrt(count));
    CHECK(std::fabs(squares / count - 2) < 5 * std::sqrt(20.0 / count));
    // Kolmogorov-Smirnov at p = 1e-6: sqrt(ln(2e6) / 2n).
    std::sort(draws.begin(), draws.end());
    double distance = 0;
    for (int i = 0; i < count; ++i) {
        const double exact = 1 - std::exp(-draws[static_cast<std::size_t>(i)]);
        distance = std::max({distance, std::fabs(exact - i / static_cast<double>(count)),
                             std::fabs(exact - (i + 1) / static_cast<double>(count))});
    }
    CHECK(distance < std::sqrt(std::log(2e6) / (2.0 * count)));
}

TEST_CASE("a seed gives these arrivals everywhere") {
    Random random(1, "arrivals");
    const std::vector<Time> times = poisson_arrivals(random, 1000, 5);
    CHECK(times == std::vector<Time>{30179, 2550815, 4084439, 5253584, 5630417});
}

TEST_CASE("bursts come in order and are as long as they may be") {
    Random random(5, "bursts");
    const std::vector<Time> times = burst_arrivals(random, 2, 7, 3 * microsecond, 5000);
    REQUIRE(times.size() == 5000);
    CHECK(std::is_sorted(times.begin(), times.end()));
    std::int64_t length = 1, longest = 1;
    for (std::size_t i = 1; i < times.size(); ++i) {
        length = times[i] - times[i - 1] == 3 * microsecond ? length + 1 : 1;
        longest = std::max(longest, length);
    }
    CHECK(longest == 7);
}

TEST_CASE("a trace is read exactly") {
    const auto times = trace_arrivals("# time, tokens\n0.1,7\n0.100000001 8\r\n\n3\n12.123456789999\n");
    REQUIRE(times.ok());
    CHECK(*times == std::vector<Time>{100 * millisecond, 100 * millisecond + 1, 3 * second, 12'123'456'789});
    CHECK(trace_arrivals("")->empty());
}

TEST_CASE("a trace that cannot be read names its line") {
    for (const char* text : {"1\nx\n", "1\n-2\n", "1\n0.5\n", "1\n1e3\n", "1\n.5\n", "1\n5.\n", "1\n99999999999\n",
                             "1\n999999999\n", "1\n ,\n"}) {
        INFO(text);
        const auto times = trace_arrivals(text);
        REQUIRE_FALSE(times.ok());
        CHECK(times.failure().verdict == Verdict::SKIP);
        CHECK(times.failure().reason.find("line 2 of the trace") != std::string::npos);
    }
}
