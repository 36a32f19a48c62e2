// Exponents of known lines, their interval against Kendall's tables and against drawn noise; peaks that tell growth and
// peaks that do not; time by a made-up clock.
#include "catch.hpp"
#include "core/random.hpp"
#include "timing/growth.hpp"

#include <cmath>

using namespace assay;
using namespace assay::timing;

namespace {

constexpr std::int64_t kib = 1024, mib = 1024 * kib;

std::vector<Point> line(int points, double power, const std::function<double(int)>& factor) {
    std::vector<Point> all;
    for (int i = 0; i < points; ++i) {
        const double x = std::ldexp(1024, i);
        all.push_back({x, 3e-9 * std::pow(x, power) * factor(i)});
    }
    return all;
}

/// Takes base + slope * length^power seconds by its own count.
class Grower final : public Contestant {
  public:
    explicit Grower(double power, double seconds_at_1024 = 1e-3) : power_(power), seconds_(seconds_at_1024) {}

    Outcome<Answer> ask(const Problem& problem) override {
        const auto length = static_cast<double>(problem.integer("length"));
        asked.push_back(problem.integer("length"));
        if (length > fails_above) return Failure{Verdict::TLE, "over 1 s of processor time"};
        Answer answer;
        answer.seconds = seconds_ * std::pow(length / 1024, power_) + 1e-5;
        if (noise) answer.seconds *= noise();
        if (length > 4096) answer.seconds *= jump;
        now += answer.seconds;
        return answer;
    }
    Outcome<double> empty_call() override { return 1e-5; }

    double now = 0, fails_above = 1e18, jump = 1;
    std::function<double()> noise;
    std::vector<std::int64_t> asked;

  private:
    double power_, seconds_;
};

TimeGrowth grow(Grower& grower, const std::string& wrong = "") {
    GrowthCourse course;
    course.lengths = {1024, 2048, 4096, 8192, 16384, 32768, 65536};
    course.make = [](std::int64_t length, int) { return Problem{"made", {{"length", length, {}}}}; };
    course.wrong = [&](const Problem&, const Answer&) { return wrong; };
    course.now = [&] { return grower.now; };
    return time_growth(grower, course, {});
}

} // namespace

TEST_CASE("the exponent of a line is its slope, and its interval is as wide as the noise", "[timing]") {
    const auto exact = exponent_of(line(7, 1.5, [](int) { return 1.0; }));
    REQUIRE(exact.has_value());
    CHECK(exact->value == Approx(1.5));
    CHECK(exact->low == Approx(1.5));
    CHECK(exact->high == Approx(1.5));
    const auto outlier = exponent_of(line(7, 1, [](int i) { return i == 3 ? 8.0 : 1.0; }));
    CHECK(outlier->value == Approx(1));
    CHECK(outlier->high == Approx(1)); // three slopes of 21 lie above, and the fourth counts
    CHECK_FALSE(exponent_of({}).has_value());
    CHECK_FALSE(exponent_of({{1, 1}}).has_value());
}

TEST_CASE("the interval's coverage is Kendall's distribution counted out", "[timing]") {
    const auto coverage = [](int points) { return exponent_of(line(points, 1, [](int) { return 1.0; }))->coverage; };
    CHECK(coverage(4) == 0);                               // 1 of 24 orders has no inversion: 92 % at most
    CHECK(coverage(5) == Approx(1 - 2 * 1.0 / 120));       // none
    CHECK(coverage(6) == Approx(1 - 2 * 6.0 / 720));       // at most one: 1 + 5
    CHECK(coverage(7) == Approx(1 - 2 * 76.0 / 5040));     // at most three: 1 + 6 + 20 + 49
    CHECK(coverage(8) == Approx(1 - 2 * 628.0 / 40320.0)); // at most five: 1 + 7 + 27 + 76 + 174 + 343
}

TEST_CASE("the interval holds the true exponent as often as it says", "[timing]") {
    Random random(7, "growth");
    int held = 0;
    constexpr int trials = 4000;
    for (int trial = 0; trial < trials; ++trial) {
        const auto exponent = exponent_of(line(7, 1, [&](int) { return std::exp(0.05 * random.normal()); }));
        held += exponent->low <= 1 && 1 <= exponent->high ? 1 : 0;
    }
    // 1 - 2 * 76 / 5040 = 0.9698; four standard deviations of 4000 trials are 0.011.
    CHECK(held > trials * (0.9698 - 0.011));
    CHECK(held < trials * (0.9698 + 0.011));
}

TEST_CASE("peaks tell how memory grows where they stand out, and else by the matrix", "[timing]") {
    const auto peaks = [](const std::function<double(double)>& bytes) {
        std::vector<MemoryAt> all;
        for (std::int64_t length = 256; length <= 4096; length *= 2) {
            const auto x = static_cast<double>(length);
            all.push_back({length, static_cast<std::int64_t>(bytes(x)), 4 * x * x});
        }
        return all;
    };
    const auto square = memory_growth(peaks([](double x) { return 4 * x * x; }), 512 * kib);
    CHECK(square.beyond);
    REQUIRE(square.exponent.has_value());
    CHECK(square.exponent->value == Approx(2));
    const auto straight = memory_growth(peaks([](double x) { return 16384 * x; }), 512 * kib);
    CHECK_FALSE(straight.beyond);
    CHECK(straight.exponent->value == Approx(1));
    const auto little = memory_growth(peaks([](double x) { return 64 * x; }), 512 * kib);
    CHECK_FALSE(little.exponent.has_value());
    CHECK_FALSE(little.beyond);

    std::vector<MemoryAt> few = peaks([](double x) { return 4 * x * x; }); // too short to fit, and still 4 MiB
    few.resize(3);
    CHECK(memory_growth(few, 512 * kib).beyond);
    CHECK_FALSE(memory_growth(few, 512 * kib).exponent.has_value());
    few.back().peak = mib - 1;
    CHECK_FALSE(memory_growth(few, 512 * kib).beyond);
    CHECK_FALSE(memory_growth({}, kib).beyond);
}

TEST_CASE("time is asked upwards and downwards in turn, and its exponent found", "[timing]") {
    Random random(3, "time");
    for (const double power : {1.0, 1.2}) {
        Grower grower(power);
        grower.noise = [&] { return 1 + 0.1 * random.uniform(); };
        const TimeGrowth growth = grow(grower);
        REQUIRE(growth.exponent.has_value());
        CHECK(growth.exponent->value == Approx(power).margin(0.03));
        CHECK(growth.exponent->coverage > 0.95);
        CHECK(growth.times.size() == 7);
        const std::vector<std::int64_t>& asked = grower.asked;
        REQUIRE(asked.size() > 21);
        CHECK((asked[0] == 1024 && asked[6] == 65536)); // not counted
        CHECK((asked[7] == 1024 && asked[14] == 65536));
    }
}

TEST_CASE("what is slow is asked no longer problems, and what fails on them is judged by the shorter ones",
          "[timing]") {
    Grower slow(2, 0.01);
    const TimeGrowth growth = grow(slow);
    CHECK(growth.times.back().length == 8192); // 0.64 s: the first above 0.25
    REQUIRE(growth.exponent.has_value());
    CHECK(growth.exponent->value == Approx(2).margin(0.01));
    CHECK(growth.exponent->coverage == 0); // four lengths

    Grower fails(1);
    fails.fails_above = 10000;
    CHECK(grow(fails).times.size() == 4);
    CHECK(grow(fails).exponent.has_value());
    fails.fails_above = 2048;
    CHECK(grow(fails).refused == "over 1 s of processor time");
}

TEST_CASE("no exponent where answers are wrong, calls too short or the machine too busy", "[timing]") {
    Grower right(1);
    CHECK(grow(right, "a timed call's answer is wrong").refused == "a timed call's answer is wrong");
    CHECK_FALSE(grow(right, "wrong").exponent.has_value());
    Grower quick(1, 1e-9);
    CHECK(grow(quick).refused.find("take no longer than the 10 us of the way") != std::string::npos);
    Random random(5, "busy");
    Grower busy(1);
    busy.noise = [&] { return std::exp(3 * random.normal()); };
    const TimeGrowth growth = grow(busy);
    CHECK(growth.refused.find("too busy") != std::string::npos);
    CHECK_FALSE(growth.exponent.has_value());
}

TEST_CASE("what else runs only adds: one quiet call of each length is enough", "[timing]") {
    Random random(9, "disturbed");
    Grower disturbed(1, 1e-4); // fifteen rounds
    disturbed.noise = [&] { return random.chance(0.6) ? random.uniform(1, 20) : 1.0; };
    const TimeGrowth growth = grow(disturbed);
    REQUIRE(growth.exponent.has_value());
    CHECK(growth.exponent->value == Approx(1).margin(0.05));
}

TEST_CASE("an interval all of which is beyond is told however wide it is", "[timing]") {
    Grower slow(2, 0.01);
    slow.jump = 8; // slopes of 2 and of 5
    const TimeGrowth growth = grow(slow);
    REQUIRE(growth.exponent.has_value());
    CHECK(growth.exponent->low == Approx(2).margin(0.01));
    CHECK(growth.exponent->high == Approx(5).margin(0.01));
}
