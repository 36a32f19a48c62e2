// Shrinking: small, deterministic, within its limits, and told exactly by its spec.
#include "catch.hpp"

#include "core/random.hpp"
#include "judge/plan.hpp"
#include "judge/shrink.hpp"
#include "toy.hpp"

#include <algorithm>
#include <cmath>

using namespace assay;

namespace {

using Predicate = std::function<bool(const Problem&)>;

/// A problem like an attention's: q (H, Lq, D), k (H, Lk, D), mask (1, Lq, Lk), and scalars.
Problem large(std::uint64_t seed) {
    Random random(seed);
    const auto draw = [&](const Index&) { return 3 * random.normal(); };
    const Array k = Array::generate(Dtype::f32, {4, 37, 8}, draw);
    Problem problem;
    problem.route = "attention";
    problem.fields = {
        {"q", Array::generate(Dtype::f32, {4, 29, 8}, draw), {"H", "Lq", "D"}},
        {"k", k.laid_out(std::vector<int>{1, 0, 2}, std::vector<std::int64_t>{1, 1, 2}), {"H", "Lk", "D"}},
        {"mask",
         Array::generate(Dtype::boolean, {1, 29, 37}, [&](const Index&) { return random.chance(0.7) ? 1.0 : 0.0; }),
         {"H", "Lq", "Lk"}},
        {"causal", true, {}},
        {"scale", 0.37, {}},
        {"window", std::int64_t{12}, {}}};
    return problem;
}

bool valid(const Problem& problem) { return problem.has("q") && problem.has("k"); }

/// Shrinks, and checks what holds of every result.
Shrunk shrink_well(const Problem& problem, const Predicate& fails,
                   const ShrinkLimits& limits = {1000, std::chrono::seconds(20)}) {
    const CaseSpec start{"case", {}};
    REQUIRE(fails(problem));
    Shrunk shrunk = shrink(start, problem, valid, fails, limits);
    CAPTURE(shrunk.spec.text());
    CHECK(fails(shrunk.problem));
    CHECK(shrunk.calls <= limits.calls);
    const Outcome<CaseSpec> spec = parse_spec(shrunk.spec.text());
    REQUIRE(spec);
    const Outcome<Problem> replayed = apply(problem, *spec);
    REQUIRE(replayed);
    CHECK(same(*replayed, shrunk.problem));
    CHECK(shrink(start, problem, valid, fails, limits).spec.text() == shrunk.spec.text());
    return shrunk;
}

} // namespace

TEST_CASE("what fails always shrinks to next to nothing", "[judge]") {
    const Shrunk shrunk = shrink_well(large(1), [](const Problem&) { return true; });
    CHECK(shrunk.spec.text() == "case@H:0@Lq:0@D:0@Lk:0@k~packed@q=0@k=0@mask~none@causal=0@scale~none@window=0");
    CHECK(shrunk.calls < 40);
}

TEST_CASE("what never fails again stays as it is", "[judge]") {
    const Problem problem = large(1);
    const Shrunk shrunk = shrink({"case", {}}, problem, valid, [](const Problem&) { return false; });
    CHECK(shrunk.spec.text() == "case");
    CHECK(same(shrunk.problem, problem));
}

TEST_CASE("steps go after those of the case it began as", "[judge]") {
    const CaseSpec start = *parse_spec("case@Lk:0-9");
    const Problem problem = *apply(large(1), start);
    const Shrunk shrunk = shrink(start, problem, valid, [](const Problem& p) { return p.array("k").extents[1] >= 2; });
    CHECK(shrunk.spec.text().substr(0, 20) == "case@Lk:0-9@H:0@Lq:0");
    CHECK(same(*apply(large(1), shrunk.spec), shrunk.problem));
}

TEST_CASE("as many keys as it takes", "[judge]") {
    const Shrunk shrunk = shrink_well(large(2), [](const Problem& p) { return p.array("k").extents[1] > 16; });
    CHECK(shrunk.problem.array("k").extents == Index{1, 17, 1});
    CHECK(shrunk.spec.text().find("@Lk:0-16@") != std::string::npos);
}

TEST_CASE("two indices that fail only together", "[judge]") {
    const Problem problem = large(3);
    const double first = problem.array("k").at({2, 5, 3}), second = problem.array("k").at({2, 30, 3});
    const Shrunk shrunk = shrink_well(problem, [&](const Problem& p) {
        const std::vector<double> values = p.array("k").values();
        return std::count(values.begin(), values.end(), first) > 0 &&
               std::count(values.begin(), values.end(), second) > 0;
    });
    CHECK(shrunk.problem.array("k").extents == Index{1, 2, 1});
    CHECK(shrunk.spec.text().find("@H:2@Lq:0@D:3@Lk:5,30") != std::string::npos);
}

TEST_CASE("a bug in strides keeps its strides", "[judge]") {
    const Shrunk shrunk = shrink_well(large(4), [](const Problem& p) { return !p.array("k").is_contiguous(); });
    CHECK_FALSE(shrunk.problem.array("k").is_contiguous());
    CHECK(shrunk.problem.array("k").size() <= 2);
    CHECK(shrunk.spec.text().find("packed") == std::string::npos);
}

TEST_CASE("values become few and simple", "[judge]") {
    const auto sum = [](const Array& array) {
        double total = 0;
        for (const double x : array.values()) total += std::fabs(x);
        return total;
    };
    const Shrunk shrunk = shrink_well(large(5), [&](const Problem& p) { return sum(p.array("q")) > 20; });
    const std::vector<double> values = shrunk.problem.array("q").values();
    CHECK(values.size() <= 24);
    for (const double x : values) CHECK(x == std::nearbyint(x));
    CHECK(sum(shrunk.problem.array("k")) == 0);
}

TEST_CASE("large tensors are rounded or made constant, never spelt out", "[judge]") {
    const Shrunk shrunk = shrink_well(large(6), [](const Problem& p) {
        const Array& q = p.array("q");
        const std::vector<double> values = q.values();
        return q.size() >= 600 && values.front() != values.back();
    });
    CHECK(shrunk.problem.array("q").size() >= 600);
    CHECK(shrunk.spec.text().find("@q~int") != std::string::npos);
    CHECK(shrunk.spec.text().size() < 120);
}

TEST_CASE("a mask shrinks to the one entry that matters", "[judge]") {
    const Shrunk shrunk = shrink_well(large(7), [](const Problem& p) {
        if (!p.has("mask")) return false;
        const std::vector<double> mask = p.array("mask").values();
        return std::count(mask.begin(), mask.end(), 0.0) >= 1 && mask.size() >= 4;
    });
    const std::vector<double> mask = shrunk.problem.array("mask").values();
    CHECK(mask.size() >= 4);
    CHECK(mask.size() <= 6);
    CHECK((std::count(mask.begin(), mask.end(), 0.0) == 1 || std::count(mask.begin(), mask.end(), 1.0) == 0));
}

TEST_CASE("written out values follow when the shape shrinks again", "[judge]") {
    // With the flag on, any three rows are needed; once values are simple, one row does.
    const Shrunk shrunk = shrink_well(large(8), [](const Problem& p) {
        const std::vector<double> q = p.array("q").values();
        const bool simple = std::all_of(q.begin(), q.end(), [](double x) { return std::fabs(x) <= 1; });
        return p.array("q").extents[1] >= (simple ? 1 : 3) &&
               std::any_of(q.begin(), q.end(), [](double x) { return x > 0.4; });
    });
    CHECK(shrunk.problem.array("q").extents == Index{1, 1, 1});
    CHECK(shrunk.problem.array("q").values() == std::vector<double>{1});
}

TEST_CASE("preconditions are kept, and what throws is refused", "[judge]") {
    int asked = 0;
    const Shrunk shrunk = shrink(
        {"case", {}}, large(9),
        [](const Problem& p) { return p.array("q").extents[0] % 2 == 0 && p.number_or("scale", 0) > 0; },
        [&](const Problem& p) {
            ++asked;
            CHECK(p.array("q").extents[0] % 2 == 0);
            return p.array("mask").extents[1] > 0; // throws where the mask is absent
        });
    CHECK(shrunk.problem.array("q").extents == Index{2, 1, 1});
    CHECK(shrunk.problem.has("mask"));
    CHECK(asked == shrunk.calls);
}

TEST_CASE("limits of calls and of time are kept", "[judge]") {
    const auto fails = [](const Problem& p) { return p.array("k").extents[1] > 20; };
    CHECK(shrink({"case", {}}, large(10), valid, fails, {5, std::chrono::seconds(20)}).calls == 5);
    CHECK(shrink({"case", {}}, large(10), valid, fails, {200, std::chrono::milliseconds(0)}).calls == 0);
}

TEST_CASE("the shortest decimal is stored as the same number", "[judge]") {
    CHECK(shortest(Dtype::f32, static_cast<double>(0.1F)) == 0.1);
    CHECK(shortest(Dtype::f16, Array::of(Dtype::f16, {1}, std::vector<double>{0.37}).values()[0]) == 0.37);
    CHECK(shortest(Dtype::f64, 0.1 + 0.2) == 0.1 + 0.2);
    Random random(3);
    for (int i = 0; i < 500; ++i)
        for (const Dtype dtype : {Dtype::f32, Dtype::f16, Dtype::bf16}) {
            const double x = Array::of(dtype, {1}, std::vector<double>{random.normal()}).values()[0];
            CHECK(Array::of(dtype, {1}, std::vector<double>{shortest(dtype, x)}).values()[0] == x);
        }
}
