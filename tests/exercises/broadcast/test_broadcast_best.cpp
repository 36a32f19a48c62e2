// Level 2 of `broadcast`: the best number of chunks against trying them all.
#include "core/random.hpp"
#include "exercises/broadcast/ask.hpp"
#include "exercises/broadcast/simulate.hpp"

#include <array>
#include <cmath>

using namespace assay;
using namespace assay::broadcast_test;

namespace {

constexpr std::array<const char*, 3> plans{"chain", "tree", "optimum"};

std::size_t played(std::size_t plan, std::size_t receivers, std::size_t chunks) {
    const std::vector<Send> sends = plan == 0   ? relay(chain(receivers), chunks)
                                    : plan == 1 ? relay(heap(receivers), chunks)
                                                : hypercube(receivers, chunks);
    return referee(sends, receivers, chunks);
}

struct Least {
    std::size_t chunks = 0;
    long double time = 0;
};
void consider(Least& least, std::size_t chunks, long double time) {
    if (least.chunks == 0 || time < least.time * (1 - 1e-15L)) least = {chunks, time};
}

} // namespace

TEST_CASE("500 GB to 1000 receivers with 1 ms a chunk: 19990 chunks, 440.98 s") {
    const Answers a(best_problem(500, 10, 1000, 1));
    CHECK(a("latency") == 0.001);
    CHECK(a("chain_real") == Approx(19989.9975).epsilon(1e-9));
    CHECK(a("chain_chunks") == 19990);
    CHECK(a("chain") == Approx(440.98).margin(0.005).epsilon(0));
    CHECK(a("tree_chunks") == 1732);
    CHECK(a("tree") == Approx(806.94).margin(0.005).epsilon(0));
    CHECK(a("optimum_chunks") == 1897);
    CHECK(a("optimum") == Approx(403.80).margin(0.005).epsilon(0));
}

TEST_CASE("the best number of chunks, by playing every number of them") {
    Random random(4, "best");
    for (int i = 0; i < 200; ++i) {
        const auto receivers = static_cast<std::size_t>(random.integer(1, 20));
        const double size = random.uniform(1, 20), link = random.uniform(5, 20);
        const double floor = size * 8 / link;
        // So that the chain's best lies near 1 to 15.
        const double best = random.uniform(0.5, 15);
        const double latency = static_cast<double>(std::max<std::size_t>(receivers - 1, 1)) * floor / (best * best);
        const Problem problem = best_problem(size, link, static_cast<std::int64_t>(receivers), latency * 1000);
        if (!broadcast().valid(problem)) continue;
        const Answers a(problem);
        for (std::size_t plan = 0; plan < plans.size(); ++plan) {
            INFO(plans[plan] << ", " << receivers << " receivers");
            Least least;
            for (std::size_t k = 1; k <= 30; ++k)
                consider(least, k,
                         static_cast<long double>(played(plan, receivers, k)) *
                             (static_cast<long double>(latency) + static_cast<long double>(floor) / k));
            const std::string name = plans[plan];
            REQUIRE(least.chunks < 30); // the end of the search is not what is found
            CHECK(a(name + "_chunks") == static_cast<double>(least.chunks));
            CHECK(a(name) == Approx(static_cast<double>(least.time)).epsilon(1e-13));
        }
    }
}

TEST_CASE("the best number of chunks of large transfers, by trying them all") {
    Random random(5, "large");
    int tried = 0;
    while (tried < 200) {
        const std::int64_t receivers = random.integer(1, 20000);
        const double size = random.uniform(1, 1000), link = random.uniform(1, 100), latency = random.uniform(0.5, 500);
        const Problem problem = best_problem(size, link, receivers, latency);
        if (!broadcast().valid(problem)) continue;
        const Answers a(problem), first(plan_problem(size, link, receivers, 1)),
            second(plan_problem(size, link, receivers, 2));
        for (const std::string name : plans) {
            if (a(name + "_chunks") > 2e4) continue;
            const auto one = static_cast<long double>(first(name + "_slots")),
                       step = static_cast<long double>(second(name + "_slots")) - one; // slots are linear in k
            Least least;
            for (std::size_t k = 1; k <= 40000; ++k)
                consider(
                    least, k,
                    (one + step * (static_cast<long double>(k) - 1)) *
                        (static_cast<long double>(latency) / 1000 + static_cast<long double>(size) * 8 / link / k));
            REQUIRE(a(name + "_chunks") == static_cast<double>(least.chunks));
            REQUIRE(a(name) == Approx(static_cast<double>(least.time)).epsilon(1e-13));
        }
        ++tried;
    }
}

TEST_CASE("equal times go to the smaller number of chunks") {
    for (std::int64_t k = 1; k <= 12; ++k) {
        // 2 receivers, a latency of 1 s, floor k(k + 1) s: k and k + 1 chunks take (k + 1)² + k + 1 s both.
        const auto floor = static_cast<double>(k * (k + 1));
        const Problem problem = best_problem(floor * 1.25, 10, 2, 1000);
        CHECK(broadcast().valid(problem));
        const Answers a(problem);
        CHECK(a("chain_chunks") == static_cast<double>(k));
        const auto time = [&](double chunks) { return (chunks + 1) * (1 + floor / chunks); };
        CHECK(time(static_cast<double>(k)) == time(static_cast<double>(k + 1)));
        CHECK(a("chain") == time(static_cast<double>(k)));
        CHECK(a("tree_chunks") == 1); // its pace is all it takes
        CHECK(a("tree_real") == 0);
    }
}

TEST_CASE("what float64 could not decide is not asked") {
    CHECK_FALSE(broadcast().valid(best_problem(500, 10, 1'000'000, 0.001)));      // some 2·10^7 chunks
    CHECK_FALSE(broadcast().valid(best_problem(7.5 * (1 + 1e-15), 10, 2, 1000))); // a tie but for rounding
    CHECK_FALSE(broadcast().valid(best_problem(7.5 / 5, 10, 6, 1000)));           // a tie with rounded times: 1.2/2
    CHECK(broadcast().valid(best_problem(7.5, 10, 2, 1000)));
    for (const Level& level : broadcast().levels)
        for (const Case& one : level.cases) CHECK(broadcast().valid(one.make(1)));
}
