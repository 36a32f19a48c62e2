// Timed answers looked at in a few rows: a wrong row is seen when it is drawn, and never blamed where it is right.
#include "catch.hpp"
#include "core/registry.hpp"
#include "judge/oracle_attempt.hpp"
#include "judge/sampled.hpp"
#include "judge/toy.hpp"

#include <set>

using namespace assay;

namespace {

/// The toy's softmax over rows that know nothing of each other, 40 of them.
Bench toy_bench() {
    Bench bench;
    bench.id = "40x6";
    bench.make = [](std::uint64_t seed) {
        Problem problem = toy::problem(seed, {40, 6});
        problem.fields.push_back({"y", Array::zeros(Dtype::f32, {40, 6}), {"R", "C"}});
        return problem;
    };
    bench.rows = "R";
    return bench;
}

Answer right_answer(const Exercise& exercise, const Problem& problem) {
    return Answer{rounded(*exercise.oracle(problem, "", 0)), {}};
}

} // namespace

TEST_CASE("right answers pass, and each round looks at other rows", "[judge]") {
    const Exercise exercise = toy::exercise();
    const Bench bench = toy_bench();
    SampledCheck check(exercise, bench, 1);
    std::set<std::int64_t> wrong_rows;
    for (std::uint64_t round = 0; round < 60; ++round) {
        const Problem problem = bench.make(round);
        check.begin(problem);
        Answer answer = right_answer(exercise, problem);
        CHECK(check.wrong(answer).empty());
        for (std::int64_t row = 0; row < 40; ++row) {
            Answer spoilt = answer;
            Array& y = spoilt.outputs.arrays.front().second;
            y.set(Index{row, 3}, y.at({row, 3}) + 0.25);
            const std::string said = check.wrong(spoilt);
            if (said.empty()) continue;
            wrong_rows.insert(row);
            CHECK(said.find("y[" + std::to_string(row) + ",3] is ") != std::string::npos);
        }
    }
    CHECK(wrong_rows.size() > 35); // 120 draws of 40 rows leave 2 out on average
}

TEST_CASE("rows are drawn from the secret: another one, other rows", "[judge]") {
    const Exercise exercise = toy::exercise();
    const Bench bench = toy_bench();
    const Problem problem = bench.make(5);
    const auto seen = [&](std::uint64_t secret) {
        SampledCheck check(exercise, bench, secret);
        check.begin(problem);
        std::set<std::int64_t> rows;
        for (std::int64_t row = 0; row < 40; ++row) {
            Answer spoilt = right_answer(exercise, problem);
            spoilt.outputs.arrays.front().second.set(Index{row, 0}, 7);
            if (!check.wrong(spoilt).empty()) rows.insert(row);
        }
        return rows;
    };
    CHECK(seen(1).size() == sampled_rows);
    CHECK(seen(1) == seen(1));
    CHECK(seen(1) != seen(2));
}

TEST_CASE("what the caller saw is told whatever rows were drawn", "[judge]") {
    const Exercise exercise = toy::exercise();
    const Bench bench = toy_bench();
    const Problem problem = bench.make(5);
    SampledCheck check(exercise, bench, 3);
    check.begin(problem);
    Answer answer = right_answer(exercise, problem);
    Finding finding;
    finding.kind = FindingKind::unwritten_output;
    finding.tensor = "y";
    answer.findings = {finding};
    CHECK(check.wrong(answer) == "a timed call left parts of y unwritten");
}

TEST_CASE("a bench without rows is looked at whole", "[judge]") {
    const Exercise exercise = toy::exercise();
    Bench bench = toy_bench();
    bench.rows.clear();
    const Problem problem = bench.make(5);
    SampledCheck check(exercise, bench, 3);
    check.begin(problem);
    for (const std::int64_t row : {0, 17, 39}) {
        Answer spoilt = right_answer(exercise, problem);
        spoilt.outputs.arrays.front().second.set(Index{row, 0}, 7);
        CHECK_FALSE(check.wrong(spoilt).empty());
    }
}
