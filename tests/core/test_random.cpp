// Random numbers are the same everywhere: these values are part of what a seed means.
#include "catch.hpp"
#include "core/random.hpp"

#include <cmath>

using namespace assay;

TEST_CASE("splitmix64 gives the published sequence") {
    Random random(1234567); // reference values of the published C code
    CHECK(random.next() == 6457827717110365317u);
    CHECK(random.next() == 3203168211198807973u);
    CHECK(random.next() == 9817491932198370423u);
}

TEST_CASE("named streams differ, and repeat") {
    CHECK(Random(1, "q").next() == Random(1, "q").next());
    CHECK(Random(1, "q").next() != Random(1, "k").next());
    CHECK(Random(1, "q").next() != Random(2, "q").next());
}

TEST_CASE("moments and ranges are as stated") {
    Random random(3);
    double sum = 0, squares = 0, least = 9, most = -9;
    constexpr int n = 200000;
    for (int i = 0; i < n; ++i) {
        const double x = random.normal();
        sum += x;
        squares += x * x;
        least = std::min(least, x);
        most = std::max(most, x);
    }
    CHECK(std::abs(sum / n) < 5 / std::sqrt(n));
    CHECK(std::abs(squares / n - 1) < 5 * std::sqrt(2.0 / n));
    CHECK(least > -6);
    CHECK(most < 6);
    int counts[7] = {};
    for (int i = 0; i < 70000; ++i) ++counts[random.integer(-3, 3) + 3];
    for (const int count : counts) CHECK(std::abs(count - 10000) < 500);
    CHECK(random.integer(5, 5) == 5);
}
