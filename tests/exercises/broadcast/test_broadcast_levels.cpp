// The levels of `broadcast`: mistakes named where they belong, the domain's edges, and what random problems cover.
#include "exercises/broadcast/ask.hpp"
#include "judge/verify.hpp"
#include "judge/verify_pairs.hpp"

#include <algorithm>
#include <assay/unset.hpp>
#include <cmath>
#include <limits>
#include <map>

using namespace assay;
using namespace assay::broadcast_test;

namespace {

/// Nothing is answered: numbers are NaN, counts are unset, a choice is none.
bool is_unset(const Answers& answers) {
    return std::all_of(answers.all().begin(), answers.all().end(), [](const Truth& truth) {
        const double value = truth.value.front();
        if (truth.name == "binds") return value == -1;
        return truth.dtype == Dtype::i64 ? value == static_cast<double>(unset_integer) : std::isnan(value);
    });
}
bool is_answered(const Answers& answers) {
    return std::all_of(answers.all().begin(), answers.all().end(), [](const Truth& truth) {
        return std::isfinite(truth.value.front()) && truth.value.front() >= 0;
    });
}

} // namespace

TEST_CASE("every mistake of broadcast is rejected at its level and named") {
    const SelfTest test = verify_oracle(broadcast(), 1);
    INFO((test.faults.empty() ? std::string() : test.faults.front()));
    CHECK(test.faults.empty());
    CHECK(test.mistakes.size() >= 40);
}

TEST_CASE("two mistakes of broadcast made together are told as both, or one shows before the other") {
    const PairTest test = verify_pairs(broadcast(), 1);
    INFO((test.faults.empty() ? std::string() : test.faults.front()));
    CHECK(test.faults.empty());
    CHECK(test.both >= 250);
    // Where each step of the depth takes a whole file, it does not matter whether the tree's uplinks are shared.
    CHECK(test.alike.size() == 2);
}

TEST_CASE("each number is tested against its own range, edges included") {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
    constexpr std::int64_t most = 1'000'000'000'000'000;
    const auto expect = [](Problem problem, const char* field, Value value, bool fine) {
        problem.find(field)->value = std::move(value);
        INFO(problem.route << ", " << field);
        CHECK((fine ? is_answered(Answers(problem)) : is_unset(Answers(problem))));
    };
    const Problem problems[] = {plan_problem(12, 8, 6, 4), best_problem(12, 8, 6, 500),
                                rack_problem(12, 8, 3, 5, 2.5, 4), swarm_problem(12, 8, {5, 6}, {7, 9})};
    for (const Problem& problem : problems) {
        CHECK(is_answered(Answers(problem)));
        for (const char* field : {"size_gb", "link_gbps", "source_gbps"}) {
            if (!problem.has(field)) continue;
            for (const double bad : {nan, inf, -inf, 0.0, -1.0, 0.99e-9, 1.01e12}) expect(problem, field, bad, false);
            for (const double good : {1e-9, 1e12}) expect(problem, field, good, true);
        }
        for (const char* field : {"receivers", "chunks", "racks", "workers"}) {
            if (!problem.has(field)) continue;
            const std::int64_t top = (field[0] == 'r' && field[1] == 'a') || field[0] == 'w' ? 10'000'000 : most;
            for (const std::int64_t bad :
                 {std::int64_t{0}, std::int64_t{-1}, top + 1, std::numeric_limits<std::int64_t>::min(),
                  std::numeric_limits<std::int64_t>::max()})
                expect(problem, field, bad, false);
            for (const std::int64_t good : {std::int64_t{1}, top}) expect(problem, field, good, true);
        }
    }
    for (const double bad : {nan, inf, 0.0, -1.0, 0.99e-6, 1.01e9}) expect(problems[1], "latency_ms", bad, false);
    for (const double good : {1e-6, 1e9}) expect(problems[1], "latency_ms", good, true);
    for (const double bad : {nan, inf, 0.0, -1.0, 0.00099, 1000.1}) expect(problems[2], "oversubscription", bad, false);
    for (const double good : {0.001, 1000.0}) expect(problems[2], "oversubscription", good, true);
    for (const double bad : {nan, inf, -1.0, 1.01e12}) CHECK(is_unset(Answers(swarm_problem(12, 8, {5, bad}, {7, 9}))));
    for (const double good : {0.0, 1e12}) CHECK(is_answered(Answers(swarm_problem(12, 8, {5, good}, {7, 9}))));
    for (const double bad : {nan, inf, 0.0, -1.0, 1.01e12})
        CHECK(is_unset(Answers(swarm_problem(12, 8, {5, 6}, {7, bad}))));
    CHECK(is_unset(Answers(swarm_problem(12, 8, {}, {}))));
}

TEST_CASE("what is beyond 64 bits, or beyond float64's log2, is answered exactly") {
    CHECK(Answers(plan_problem(500, 10, 30'000'000, 500))("source_bytes") == 1.5e19); // 2^63 is 9.2e18
    CHECK(Answers(plan_problem(1e12, 1e12, 7, 5))("bytes") == 1e21);
    const std::int64_t n = std::int64_t{1} << 49;
    CHECK(std::log2(static_cast<double>(n + 1)) == 49);
    CHECK(Answers(plan_problem(1, 10, n, 5))("rounds") == 50);
    CHECK(Answers(plan_problem(1, 10, n - 1, 5))("rounds") == 49);
    const Answers most(plan_problem(1, 10, 1'000'000'000'000'000, 1'000'000'000'000'000));
    CHECK(most("chain_slots") == 2e15 - 1);
    // 10^15 + 1 nodes: row 49 holds more than half of its places.
    CHECK(most("tree_slots") == 2e15 - 2 + 49 + 48);
}

TEST_CASE("a mistake without an answer of its own is not played") {
    CHECK_FALSE(broadcast().oracle(plan_problem(12, 8, 1, 4), "source-as-receiver", 0));
    CHECK(broadcast().oracle(plan_problem(12, 8, 1, 4), "source-as-receiver", 1));
    CHECK_FALSE(broadcast().oracle(plan_problem(1e12, 8, 6, 4), "int64", 0));
    CHECK_THROWS(broadcast().oracle(Problem{"no_such_route", {}}, "", 0));
}

TEST_CASE("random problems are valid, of every route, and mostly answerable") {
    std::map<std::string, int> answered, invalid;
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        const Problem problem = broadcast().random(seed);
        REQUIRE(broadcast().valid(problem));
        ++(is_unset(Answers(problem)) ? invalid : answered)[problem.route];
    }
    for (const char* route : {"plan_times", "swarm_bound", "best_chunks", "rack_plans"}) {
        CHECK(answered[route] >= 300);
        CHECK(invalid[route] >= 10);
    }
}
