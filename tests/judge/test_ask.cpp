// One case, asked twice: what counts as wrong beside the values, and whose fault a failure is.
#include "run_toy.hpp"

using namespace assay;
using namespace run_toy;

TEST_CASE("an answer that changes is not deterministic", "[judge]") {
    int call = 0;
    const Record noise = run_scripted([&](const Problem&, Answer right) -> Outcome<Answer> {
        y_of(right).set(Index{0, 0}, ++call % 2 == 0 ? 0.25 : 0.75);
        return right;
    });
    const CaseRecord& wrong_twice = noise.levels[0].cases[0];
    REQUIRE(wrong_twice.findings.size() == 2);
    CHECK(wrong_twice.findings[0].kind == FindingKind::not_deterministic);
    CHECK(wrong_twice.findings[0].expected == 0.75);
    CHECK(wrong_twice.findings[0].got == 0.25);
    CHECK(wrong_twice.findings[0].error == 0.5);
    CHECK(wrong_twice.findings[0].wrong == 1);
    CHECK(wrong_twice.findings[1].kind == FindingKind::value);
    CHECK(noise.diagnoses.empty());

    call = 0;
    const Record repeat = run_scripted([&](const Problem&, Answer right) -> Outcome<Answer> {
        if (++call % 2 == 0) y_of(right).set(Index{1, 0}, NaN);
        return right;
    });
    REQUIRE(repeat.levels[0].cases[0].findings.size() == 1);
    CHECK(repeat.levels[0].cases[0].findings[0].kind == FindingKind::not_deterministic);
    CHECK(repeat.levels[0].cases[0].findings[0].where == Index{1, 0});

    call = 0;
    const Record crash = run_scripted([&](const Problem&, Answer right) -> Outcome<Answer> {
        if (++call % 2 == 0) return Failure{Verdict::RTE, "exit(0)"};
        return right;
    });
    CHECK(crash.verdict == Verdict::RTE);
    CHECK(crash.levels[0].cases[0].reason == "exit(0) (asked the same once more, after a first answer)");
}

TEST_CASE("a repeat that differs within both bounds is the same answer", "[judge]") {
    int call = 0;
    CHECK(run_scripted([&](const Problem&, Answer right) -> Outcome<Answer> {
              const double sign = ++call % 2 == 0 ? 1 : -1;
              Array& y = y_of(right);
              for_each_index(Index(y.extents), [&](const Index& i) { y.set(i, y.at(i) * (1 + sign * 0.9e-5)); });
              return right;
          }).verdict == Verdict::AC);
}

TEST_CASE("what the caller saw beside the answer is a wrong answer", "[judge]") {
    for (const FindingKind kind : {FindingKind::mutated_input, FindingKind::out_of_bounds}) {
        CAPTURE(name_of(kind));
        const Record record = run_scripted([&](const Problem&, Answer right) -> Outcome<Answer> {
            Finding finding;
            finding.kind = kind;
            finding.tensor = "x";
            right.findings.push_back(finding);
            return right;
        });
        CHECK(record.verdict == Verdict::WA);
        REQUIRE(record.levels[0].cases[0].findings.size() == 1);
        CHECK(record.levels[0].cases[0].findings[0].kind == kind);
        CHECK(record.diagnoses.empty());
        REQUIRE(record.smallest);
        CHECK(record.smallest->dimensions == "R = 1, C = 1");
    }
}

TEST_CASE("elements that were never written are not wrong values too", "[judge]") {
    const auto unwritten = [](bool also_wrong) {
        int call = 0;
        return run_scripted([&, also_wrong](const Problem&, Answer right) -> Outcome<Answer> {
            const double poison = ++call % 2 == 0 ? NaN : -12345;
            Array& y = y_of(right);
            for (std::int64_t row = 0; row < y.extents[0]; ++row) y.set(Index{row, y.extents[1] - 1}, poison);
            if (also_wrong) y.set(Index{0, 0}, 7);
            Finding finding;
            finding.kind = FindingKind::unwritten_output;
            finding.tensor = "y";
            finding.where = {0, y.extents[1] - 1};
            finding.wrong = y.extents[0];
            finding.total = y.size();
            right.findings.push_back(finding);
            return right;
        });
    };
    const Record record = unwritten(false);
    REQUIRE(record.levels[0].cases[0].findings.size() == 1);
    CHECK(record.levels[0].cases[0].findings[0].kind == FindingKind::unwritten_output);
    const Record both = unwritten(true);
    REQUIRE(both.levels[0].cases[0].findings.size() == 2);
    CHECK(both.levels[0].cases[0].findings[0].kind == FindingKind::unwritten_output);
    CHECK(both.levels[0].cases[0].findings[1].kind == FindingKind::value);
    CHECK(both.levels[0].cases[0].findings[1].where == Index{0, 0});
    CHECK(both.levels[0].cases[0].findings[1].wrong == 1);
}

TEST_CASE("a stale answer is a pattern", "[judge]") {
    Exercise toy = toy::exercise();
    Case second = toy.levels[0].cases[0];
    second.id = "small-again";
    second.make = [](std::uint64_t seed) { return toy::problem(seed + 99, {3, 4, false, 1}); };
    toy.levels[0].cases = {toy.levels[0].cases[0], second};
    Outputs kept;
    toy::Scripted attempt(toy, [&](const Problem&, const Answer& right) -> Outcome<Answer> {
        if (kept.arrays.empty()) kept = right.outputs;
        return Answer{kept, {}};
    });
    const Record record = run(attempt, only_level("formula"), {}, toy);
    CHECK(record.levels[0].cases[0].verdict == Verdict::AC);
    REQUIRE(record.diagnoses.size() == 1);
    CHECK(record.diagnoses[0].mistake == "pattern:previous");
}

TEST_CASE("our own faults are judge errors, whatever else happened", "[judge]") {
    Exercise toy = toy::exercise();
    toy::Scripted attempt(toy);
    const Oracle right = toy.oracle;
    toy.oracle = [right](const Problem& problem, std::string_view mistake, int form) {
        if (problem.has("mask")) throw std::runtime_error("a division by the pope");
        return right(problem, mistake, form);
    };
    const Record record = run(attempt, {}, {}, toy);
    CHECK(record.verdict == Verdict::JE);
    CHECK(record.reason == "the oracle of toy threw: a division by the pope");
    CHECK(record.levels[2].cases[0].verdict == Verdict::JE);
    CHECK_FALSE(record.smallest);

    Exercise silent = toy::exercise();
    silent.levels[4].cases[0].make = [](std::uint64_t) -> Problem { throw std::runtime_error("no input"); };
    toy::Scripted other(silent);
    const Record bonus = run(other, {}, {}, silent);
    CHECK(bonus.verdict == Verdict::JE); // a bonus never decides, but its judge must not fail
    CHECK(bonus.reason == "making case skip-two threw: no input");

    Exercise empty = toy::exercise();
    empty.levels[0].cases.clear();
    CHECK(run(other, {}, {}, empty).verdict == Verdict::JE);
}
