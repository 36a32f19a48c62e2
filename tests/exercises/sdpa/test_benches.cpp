// What attention is timed on: counted work by hand, fresh content, and rows that mean the same taken alone.
#include "catch.hpp"
#include "core/registry.hpp"

#include <cmath>
#include <set>
#include <string>

using namespace assay;

namespace {

const Exercise& sdpa() { return *find_exercise("sdpa"); }

const Bench& bench(const std::string& id) {
    for (const Bench& one : sdpa().benches)
        if (one.id == id) return one;
    throw std::runtime_error("no bench " + id);
}

/// Row i of head h by plain loops in float64, over keys 0 to `last`.
std::vector<double> row(const Problem& problem, std::int64_t h, std::int64_t i, std::int64_t last) {
    const Array &q = problem.array("q"), &k = problem.array("k"), &v = problem.array("v");
    const std::int64_t D = q.extents[3], Dv = v.extents[3], kv = h / (q.extents[1] / k.extents[1]);
    std::vector<double> weights, sum(static_cast<std::size_t>(Dv), 0.0);
    double total = 0;
    for (std::int64_t j = 0; j <= last; ++j) {
        double dot = 0;
        for (std::int64_t d = 0; d < D; ++d) dot += q.at({0, h, i, d}) * k.at({0, kv, j, d});
        weights.push_back(std::exp(dot / std::sqrt(static_cast<double>(D))));
        total += weights.back();
    }
    for (std::int64_t j = 0; j <= last; ++j)
        for (std::int64_t d = 0; d < Dv; ++d)
            sum[static_cast<std::size_t>(d)] += weights[static_cast<std::size_t>(j)] / total * v.at({0, kv, j, d});
    return sum;
}

} // namespace

TEST_CASE("every bench is a valid problem with fresh content, and its cost is counted") {
    std::set<std::string> ids;
    for (const Bench& one : sdpa().benches) {
        INFO(one.id);
        CHECK(ids.insert(one.id).second);
        CHECK_FALSE(one.why.empty());
        if (one.id == "1x8x4096x128" || one.id == "decode-1x8x32768x128") continue; // a second each to make
        const Problem a = one.make(1), b = one.make(1), c = one.make(2);
        CHECK(sdpa().valid(a));
        CHECK(a.array("q").storage == b.array("q").storage);
        CHECK(a.array("v").storage != c.array("v").storage);
        const Cost cost = one.cost(a);
        CHECK(cost.flops > 0);
        CHECK(cost.exponentials > 0);
        CHECK(cost.bytes > 0);
        CHECK(cost.state_bytes > 0);
    }
    for (const SpeedLevel& level : sdpa().speed)
        for (const std::string& id : level.benches) CHECK(ids.count(id) == 1);
}

TEST_CASE("the counted work of a square, of its causal half, and of an odd one") {
    const Cost square = bench("1x8x1024x64").cost(bench("1x8x1024x64").make(1));
    CHECK(square.flops == 8.0 * 1024 * 1024 * 2 * 128);
    CHECK(square.exponentials == 8.0 * 1024 * 1024);
    CHECK(square.bytes == 4.0 * 8 * 1024 * 64 * 4);
    CHECK(square.state_bytes == 8.0 * 1024 * 66 * 4);
    const Cost causal = bench("causal-1x8x1024x64").cost(bench("causal-1x8x1024x64").make(1));
    CHECK(causal.exponentials == 8.0 * 1024 * 1025 / 2);
    CHECK(causal.bytes == square.bytes);
    const Cost odd = bench("2x6x509x40").cost(bench("2x6x509x40").make(1));
    CHECK(odd.flops == 2.0 * 6 * 509 * 521 * 2 * (40 + 56));
    CHECK(odd.bytes == 4.0 * (2 * 6 * 509 * 40 + 2 * 3 * 521 * 40 + 2 * 3 * 521 * 56 + 2 * 6 * 509 * 56));
    const Cost half = bench("f16-1x8x1024x64").cost(bench("f16-1x8x1024x64").make(1));
    CHECK(half.bytes == 3.0 * 8 * 1024 * 64 * 2 + 8.0 * 1024 * 64 * 4);
}

TEST_CASE("rows of a causal problem, taken alone, are what they were") {
    const Bench& causal = bench("causal-1x8x1024x64");
    const Problem problem = causal.make(3);
    const Index kept{0, 41, 1023};
    const Problem part = causal.part(problem, kept);
    CHECK(sdpa().valid(part));
    const auto truths = sdpa().oracle(part, "", 0);
    REQUIRE(truths.has_value());
    REQUIRE(truths->front().extents == Index{1, 8, 3, 64});
    for (std::int64_t h : {0, 7})
        for (std::size_t n = 0; n < kept.size(); ++n) {
            const std::vector<double> right = row(problem, h, kept[n], kept[n]);
            for (std::size_t d = 0; d < 64; ++d)
                CHECK(truths->front().value[(static_cast<std::size_t>(h) * 3 + n) * 64 + d] ==
                      Approx(right[d]).margin(1e-9));
        }
}
