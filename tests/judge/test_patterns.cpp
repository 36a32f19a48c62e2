// Patterns that need no oracle, each beside an answer that only looks like it.
#include "catch.hpp"

#include "core/random.hpp"
#include "judge/patterns.hpp"

#include <cmath>
#include <functional>

using namespace assay;

namespace {

using Change = std::function<double(double truth, const Index& index)>;

struct Made {
    Problem problem;
    Truths truth;
    Outputs right;
};

Made make(std::uint64_t seed, const Index& extents = {2, 3, 4}) {
    Random random(seed);
    Made made;
    const Array value = Array::generate(Dtype::f32, extents, [&](const Index&) { return random.uniform(0.5, 2); });
    const Array input = Array::generate(Dtype::f32, extents, [&](const Index&) { return random.uniform(0.5, 2); });
    made.problem = {"route", {{"x", input, {}}}};
    made.truth = {{"out", extents, value.values(), {}, Dtype::f32}};
    for (const double x : made.truth[0].value) made.truth[0].bound.push_back(1e-6 * std::fabs(x));
    made.right.arrays = {{"out", value}};
    return made;
}

Outputs changed(const Made& made, const Change& change) {
    const Array& right = made.right.arrays[0].second;
    return {
        {{"out", Array::generate(Dtype::f32, right.extents, [&](const Index& i) { return change(right.at(i), i); })}}};
}

/// The pattern told of three cases changed alike; "" where none is.
std::string told(const Change& change) {
    Patterns patterns;
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        const Made made = make(seed);
        patterns.add(made.problem, changed(made, change), made.truth, nullptr);
    }
    const std::optional<Diagnosis> result = patterns.result();
    return result ? result->mistake + ": " + result->sentence : "";
}

double rounded_to(Dtype dtype, double x) { return Array::of(dtype, {1}, std::vector<double>{x}).values()[0]; }

} // namespace

TEST_CASE("constant ratio, offset and zero", "[judge]") {
    CHECK(told([](double x, const Index&) { return 0.125 * x; }) ==
          "pattern:ratio: your output is 0.125 times the right one");
    CHECK(told([](double x, const Index&) { return -x; }) == "pattern:ratio: your output is -1 times the right one");
    CHECK(told([](double x, const Index&) { return x + 3; }) == "pattern:offset: your output is the right one plus 3");
    CHECK(told([](double, const Index&) { return 0.0; }) == "pattern:zero: your output is 0 everywhere");
    CHECK(told([](double, const Index&) { return 0.7; }).empty());
    CHECK(told([](double x, const Index& i) { return i == Index{1, 1, 1} ? x : 0.125 * x; }).empty());
    CHECK(told([](double x, const Index& i) { return x * (1 + 0.01 * static_cast<double>(i[2])); }).empty());
}

TEST_CASE("an answer of several outputs is not 0 everywhere where one that is right is not 0", "[judge]") {
    for (const double other : {0.0, 2.0}) {
        Patterns patterns;
        for (const std::uint64_t seed : {1U, 2U, 3U}) {
            Made made = make(seed);
            Outputs got = changed(made, [](double, const Index&) { return 0.0; });
            made.truth.push_back({"right", {1}, {other}, {0}, Dtype::f32});
            got.arrays.emplace_back("right", Array::of(Dtype::f32, {1}, std::vector<double>{other}));
            patterns.add(made.problem, got, made.truth, nullptr);
        }
        const std::optional<Diagnosis> result = patterns.result();
        CHECK((result && result->mistake == "pattern:zero") == (other == 0));
    }
}

TEST_CASE("a ratio must be the same in every case", "[judge]") {
    Patterns patterns;
    const Made first = make(1), second = make(2);
    patterns.add(first.problem, changed(first, [](double x, const Index&) { return 0.5 * x; }), first.truth, nullptr);
    REQUIRE(patterns.result());
    patterns.add(second.problem, changed(second, [](double x, const Index&) { return 0.6 * x; }), second.truth,
                 nullptr);
    REQUIRE(patterns.result());
    CHECK(patterns.result()->mistake == "pattern:row-scale"); // which is true still
}

TEST_CASE("rows scaled each by its own factor", "[judge]") {
    CHECK(told([](double x, const Index& i) {
              return x * (0.5 + 0.1 * static_cast<double>(i[0] + i[1]));
          }).substr(0, 17) == "pattern:row-scale");
}

TEST_CASE("a vector has no rows to scale", "[judge]") {
    Patterns patterns;
    for (const double factor : {2.0, 3.0}) { // the constant ratio differs from case to case
        const Array right = Array::of(Dtype::f64, {4}, std::vector<double>{1, 2, 4, 7});
        Truths truth{{"share", {4}, right.values(), {0, 0, 0, 0}, Dtype::f64}};
        const Array got = Array::of(Dtype::f64, {4}, std::vector<double>{factor, 2 * factor, 4 * factor, 7 * factor});
        patterns.add({"f", {}}, {{{"share", got}}}, truth, nullptr);
    }
    CHECK_FALSE(patterns.result());
}

TEST_CASE("axes written in another order", "[judge]") {
    Patterns patterns;
    for (const std::uint64_t seed : {1U, 2U}) {
        const Made made = make(seed);
        const Array& right = made.right.arrays[0].second;
        // The buffer of (2, 3, 4) filled as if it were (3, 2, 4).
        const Array moved = Array::generate(Dtype::f32, {3, 2, 4}, [&](const Index& i) {
            return right.at({i[1], i[0], i[2]});
        });
        patterns.add(made.problem, {{{"out", Array::of(Dtype::f32, {2, 3, 4}, moved.values())}}}, made.truth, nullptr);
    }
    REQUIRE(patterns.result());
    CHECK(patterns.result()->mistake == "pattern:transposed");
    CHECK(patterns.result()->sentence.find("(1, 0, 2)") != std::string::npos);
}

TEST_CASE("an input handed back, and the answer of the case before", "[judge]") {
    Patterns copies, stale;
    const Made first = make(1), second = make(2), third = make(3);
    for (const Made* made : {&first, &second})
        copies.add(made->problem, {{{"out", made->problem.array("x")}}}, made->truth, nullptr);
    REQUIRE(copies.result());
    CHECK(copies.result()->mistake == "pattern:input");
    CHECK(copies.result()->sentence == "your output is the input x");

    stale.add(second.problem, first.right, second.truth, &first.right);
    REQUIRE(stale.result());
    CHECK(stale.result()->mistake == "pattern:previous");
    stale.add(third.problem, first.right, third.truth, &second.right);
    CHECK_FALSE(stale.result());
}

TEST_CASE("right before an index and wrong from there on", "[judge]") {
    CHECK(told([](double x, const Index& i) { return i[2] < 2 ? x : x + 1 + 0.1 * static_cast<double>(i[1]); }) ==
          "pattern:from-index: out is right before index 2 of axis 2 and wrong from there on");
    CHECK(told([](double x, const Index& i) { return i[2] < 2 ? x : std::nan(""); }).substr(0, 18) ==
          "pattern:from-index");
    CHECK(told([](double x, const Index& i) { return i[2] == 2 ? x + 1 : x; }).empty());
}

TEST_CASE("lower precision", "[judge]") {
    CHECK(told([](double x, const Index&) { return rounded_to(Dtype::f16, x); }).substr(0, 55) ==
          "pattern:rounded: every element of your output is a floa");
    CHECK(told([](double x, const Index&) { return rounded_to(Dtype::bf16, x); }).find("bfloat16") !=
          std::string::npos);
    const auto noisy = [](double unit) {
        return told([unit, random = Random(5)](double x, const Index&) mutable {
            return x * (1 + unit * random.uniform(-1, 1));
        });
    };
    CHECK(noisy(0x1p-10).substr(0, 60).find("pattern:precision: the errors of your output are as large as") == 0);
    CHECK(noisy(0x1p-10).find("float16's") != std::string::npos);
    CHECK(noisy(0x1p-7).find("bfloat16's") != std::string::npos);
    CHECK(noisy(0.3).empty());
    CHECK(noisy(0x1p-17).empty()); // too small for float16, too large for float32: no name
}

TEST_CASE("two elements are not enough evidence", "[judge]") {
    Patterns patterns;
    const Made made = make(1, {1, 3});
    patterns.add(made.problem, changed(made, [](double x, const Index&) { return 0.5 * x; }), made.truth, nullptr);
    CHECK_FALSE(patterns.result()); // one factor and two elements that agree with it
    const Made more = make(2, {1, 3});
    patterns.add(more.problem, changed(more, [](double x, const Index&) { return 0.5 * x; }), more.truth, nullptr);
    CHECK(patterns.result());
}

TEST_CASE("an unreadable answer ends all patterns", "[judge]") {
    Patterns patterns;
    const Made made = make(1);
    patterns.add(made.problem, changed(made, [](double, const Index&) { return 0.0; }), made.truth, nullptr);
    REQUIRE(patterns.result());
    patterns.add_unreadable();
    CHECK_FALSE(patterns.result());
}
