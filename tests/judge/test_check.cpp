// Running an exercise on an attempt: levels in order, verdicts, points, what is explained.
#include "run_toy.hpp"

using namespace assay;
using namespace run_toy;

TEST_CASE("a right attempt is accepted, each case asked twice", "[judge]") {
    const Exercise toy = toy::exercise();
    toy::Scripted attempt(toy);
    const Record record = run(attempt);
    CHECK(record.verdict == Verdict::AC);
    CHECK(verdicts(record) == Ids{"AC", "AC", "AC", "AC", "AC"});
    CHECK(record.score == 100);
    CHECK(record.max_score == 100);
    CHECK(record.bonus == 5);
    CHECK(record.max_bonus == 5);
    CHECK_FALSE(record.partial);
    CHECK_FALSE(record.smallest);
    CHECK(record.diagnoses.empty());
    CHECK(attempt.asked == 2 * 7);
    CHECK(attempt.freshened == 5); // once a level
    CHECK(record.levels[0].number == 1);
    CHECK(record.levels[4].number == 5);
    CHECK_FALSE(record.levels[4].must);
    CHECK(record.levels[0].cases[0].id == "small");
    CHECK(record.levels[0].cases[0].why == "to try the judge");
    CHECK(record.levels[0].cases[0].printed == "printed");
}

TEST_CASE("levels that are not asked are no part of the record", "[judge]") {
    const Exercise toy = toy::exercise();
    toy::Scripted attempt(toy);
    CheckOptions options;
    options.not_asked = {toy.levels[1].id};
    const Record record = run(attempt, options);
    CHECK(record.verdict == Verdict::AC);
    CHECK(verdicts(record) == Ids{"AC", "AC", "AC", "AC"});
    CHECK(record.levels[1].number == 3); // the others keep their numbers
    CHECK(record.max_score == 100 - toy.levels[1].points);
    options.level = toy.levels[1].id;
    Record other;
    const Outcome<Done> done = check(toy, attempt, options, {}, other);
    REQUIRE_FALSE(done);
    CHECK(done.failure().verdict == Verdict::SKIP);
    CHECK(done.failure().reason == "level " + toy.levels[1].id + " is not asked in this attempt's language");
}

TEST_CASE("the same attempt gives the same record", "[judge]") {
    const Exercise toy = toy::exercise();
    OracleAttempt attempt(toy, "over-rows", 0);
    const Record first = run(attempt), second = run(attempt);
    REQUIRE(first.smallest);
    REQUIRE(second.smallest);
    CHECK(first.smallest->spec == second.smallest->spec);
    CHECK(first.smallest->calls == second.smallest->calls);
    CHECK(first.smallest->finding.got == second.smallest->finding.got);
}

TEST_CASE("a wrong attempt is named, and shrunk to a case that replays", "[judge]") {
    const Exercise toy = toy::exercise();
    OracleAttempt attempt(toy, "over-rows", 0);
    CheckOptions options;
    options.seed = 3;
    const Record record = run(attempt, options);
    CHECK(record.verdict == Verdict::WA);
    CHECK(record.levels[0].verdict == Verdict::WA);
    CHECK(record.levels[0].earned == 0);
    REQUIRE(record.diagnoses.size() == 1);
    CHECK(record.diagnoses[0].mistake == "over-rows");
    REQUIRE(record.smallest);
    const Smallest& smallest = *record.smallest;
    CHECK(smallest.level == "formula");
    CHECK(smallest.dimensions == "R = 2, C = 1"); // one row would be 1 either way
    CHECK(smallest.inputs == Ids{"x (2, 1) float32 = 0 0", "mask = none", "scale = none", "skip = 0"});
    CHECK(smallest.finding.kind == FindingKind::value);
    CHECK(smallest.finding.got == 0.5);
    CHECK(smallest.finding.expected == 1);
    CHECK(smallest.replay == "assay check toy --case " + smallest.spec + " --seed 3");
    CHECK(smallest.calls > 0);

    CheckOptions replay = options;
    replay.case_spec = smallest.spec;
    const Record again = run(attempt, replay);
    CHECK(again.partial);
    CHECK(again.verdict == Verdict::WA);
    REQUIRE(again.levels.size() == 1);
    REQUIRE(again.levels[0].cases.size() == 1);
    CHECK(again.levels[0].cases[0].id == smallest.spec);
    REQUIRE(again.levels[0].cases[0].findings.size() == 1);
    CHECK(again.levels[0].cases[0].findings[0].got == 0.5);
    REQUIRE(again.diagnoses.size() == 1);
    CHECK(again.diagnoses[0].mistake == "over-rows");
    CHECK_FALSE(again.smallest);
    CHECK(again.max_score == 0);
}

TEST_CASE("every mistake of the toy is rejected where it belongs, and named with its twins alone", "[judge]") {
    const Exercise toy = toy::exercise();
    for (const Mistake& mistake : toy.mistakes)
        for (int form = 0; form < mistake.forms(); ++form) {
            CAPTURE(mistake.id, form);
            OracleAttempt attempt(toy, mistake.id, form);
            const Record record = run(attempt);
            const std::optional<FirstFailure> first = first_failure(record);
            REQUIRE(first);
            CHECK(first->level->id == mistake.levels[static_cast<std::size_t>(form)]);
            CHECK(record.verdict == (first->level->must ? Verdict::WA : Verdict::AC));
            REQUIRE(record.diagnoses.size() == 1 + mistake.twins.size() + (mistake.id == "mask-unread" ? 1 : 0));
            for (const Diagnosis& diagnosis : record.diagnoses)
                CHECK((diagnosis.mistake == mistake.id || mistake.id.substr(0, 5) == "mask-"));
        }
}

TEST_CASE("a level that needs a failed one is skipped, and the others run", "[judge]") {
    const Exercise toy = toy::exercise();
    OracleAttempt attempt(toy, "mask-ignored", 0);
    const Record record = run(attempt);
    CHECK(verdicts(record) == Ids{"AC", "AC", "WA", "SKIP", "AC"});
    CHECK(record.levels[3].reason == "needs level 3 (masks), which is not passed");
    CHECK(record.levels[3].cases[0].verdict == Verdict::SKIP);
    CHECK(record.score == 30);
    CHECK(record.bonus == 5);
    CHECK(record.verdict == Verdict::WA);
}

TEST_CASE("a bonus never decides", "[judge]") {
    const Exercise toy = toy::exercise();
    OracleAttempt attempt(toy, "skip-ignored", 0);
    const Record record = run(attempt);
    CHECK(record.verdict == Verdict::AC);
    CHECK(record.bonus == 0);
    CHECK(record.max_bonus == 5);
    REQUIRE(record.diagnoses.size() == 1);
    CHECK(record.diagnoses[0].mistake == "skip-ignored");
    const Record alone = run(attempt, only_level("skipping"));
    CHECK(alone.partial);
    CHECK(alone.verdict == Verdict::WA);
}

TEST_CASE("one level alone, by id or number", "[judge]") {
    const Exercise toy = toy::exercise();
    toy::Scripted attempt(toy);
    for (const char* name : {"empty", "4"}) {
        const Record record = run(attempt, only_level(name));
        REQUIRE(record.levels.size() == 1);
        CHECK(record.levels[0].id == "empty");
        CHECK(record.levels[0].number == 4);
        CHECK(record.levels[0].verdict == Verdict::AC); // though masks did not run
        CHECK(record.score == 40);
        CHECK(record.max_score == 40);
        CHECK(record.partial);
    }
}

TEST_CASE("missing functions fail their levels alone", "[judge]") {
    const Exercise toy = toy::exercise();
    toy::Scripted attempt(toy);
    const Record bonus = run(attempt, {}, {{"skipping", "skipping is not defined"}});
    CHECK(verdicts(bonus) == Ids{"AC", "AC", "AC", "AC", "SKIP"});
    CHECK(bonus.levels[4].reason == "not tried: skipping is not defined");
    CHECK(bonus.verdict == Verdict::AC);
    attempt.asked = 0;
    const Record record = run(attempt, {}, {{"softmax", "softmax is not defined"}});
    CHECK(verdicts(record) == Ids{"CE", "CE", "CE", "SKIP", "AC"});
    CHECK(record.levels[0].reason == "softmax is not defined");
    CHECK(record.verdict == Verdict::CE);
    CHECK(record.reason == "softmax is not defined");
    CHECK(attempt.asked == 2); // the bonus
    CHECK_FALSE(record.smallest);
    Exercise two = toy;
    two.levels[4].functions = {"skipping", "softmax"};
    CHECK(run(attempt, {}, {{"skipping", "skipping is not defined"}}, two).levels[4].verdict == Verdict::CE);
    CHECK(run(attempt, only_case("small"), {{"softmax", "gone"}}).verdict == Verdict::CE);
}

TEST_CASE("wrong usage is told in a sentence", "[judge]") {
    CHECK(usage_error(only_level("nine")) ==
          "toy has no level 'nine'; its levels are 1 (formula), 2 (stability), 3 (masks), 4 (empty), 5 (skipping)");
    CHECK(usage_error(only_case("tiny")) == "toy has no case 'tiny'");
    CHECK(usage_error(only_case("small@C:9")) ==
          "dimension C has 4 indices, so index 9 of step '@C:9' is not one of them");
    CHECK(usage_error(only_case("small@x~none")) ==
          "case 'small@x~none' breaks the contract's preconditions; leave some of its steps out");
    CheckOptions both = only_case("small");
    both.level = "masks";
    CHECK(usage_error(both) == "toy has no case 'small' in level masks");
}

TEST_CASE("a crash is a run-time error with its reason, and shrinks by its verdict", "[judge]") {
    const Record record = run_scripted([](const Problem& problem, Answer right) -> Outcome<Answer> {
        if (problem.array("x").extents[1] < 3) return right;
        return Failure{Verdict::RTE, "killed by SIGSEGV"};
    });
    CHECK(record.verdict == Verdict::RTE);
    CHECK(record.levels[0].cases[0].reason == "killed by SIGSEGV");
    CHECK(record.diagnoses.empty());
    REQUIRE(record.smallest);
    CHECK(record.smallest->dimensions == "R = 1, C = 3");
    CHECK(record.smallest->finding.tensor.empty());
    CHECK(record.smallest->finding.note == "killed by SIGSEGV");
}

TEST_CASE("after a time limit the rest of the level is not asked, and nothing is shrunk", "[judge]") {
    const Exercise toy = toy::exercise();
    toy::Scripted attempt(toy, [](const Problem& problem, const Answer& right) -> Outcome<Answer> {
        if (problem.has("mask")) return right;
        return Failure{Verdict::TLE, "2 s of CPU time are over"};
    });
    const Record record = run(attempt);
    CHECK(record.verdict == Verdict::TLE);
    CHECK(record.levels[0].cases[0].verdict == Verdict::TLE);
    CHECK(record.levels[0].cases[1].verdict == Verdict::SKIP);
    CHECK(record.levels[0].cases[1].reason == "not asked, after the time limit");
    CHECK(record.levels[1].verdict == Verdict::TLE);
    CHECK(record.levels[2].verdict == Verdict::AC);
    CHECK(attempt.asked == 1 + 1 + 4 + 2 + 1);
    REQUIRE(record.smallest);
    CHECK(record.smallest->spec == "small");
    CHECK(record.smallest->calls == 0);
}

TEST_CASE("a level ends after six failing cases", "[judge]") {
    Exercise toy = toy::exercise();
    for (int i = 0; i < 8; ++i) {
        Case more = toy.levels[0].cases[0];
        more.id = "more-" + std::to_string(i);
        toy.levels[0].cases.push_back(more);
    }
    toy::Scripted attempt(toy, [](const Problem&, const Answer&) -> Outcome<Answer> {
        return Failure{Verdict::RTE, "no"};
    });
    const Record record = run(attempt, only_level("formula"), {}, toy);
    REQUIRE(record.levels[0].cases.size() == 10);
    CHECK(record.levels[0].cases[5].verdict == Verdict::RTE);
    CHECK(record.levels[0].cases[6].verdict == Verdict::SKIP);
    CHECK(record.levels[0].cases[6].reason == "not asked, after 6 failing cases");
}

TEST_CASE("the attempt is fresh at each level and after each failing case", "[judge]") {
    const Exercise toy = toy::exercise();
    int freshened = 0;
    toy::Scripted attempt(toy, [&](const Problem& problem, Answer right) -> Outcome<Answer> {
        if (problem.array("x").extents[1] == 4) return Failure{Verdict::RTE, "no"}; // small, large, empty-row
        freshened = attempt.freshened;
        return right;
    });
    CheckOptions options;
    options.explain = false;
    run(attempt, options);
    CHECK(attempt.freshened == 6); // five levels, and before wide
    CHECK_FALSE(freshened == 0);
}

TEST_CASE("mutants stop at the first failing level", "[judge]") {
    const Exercise toy = toy::exercise();
    OracleAttempt attempt(toy, "no-maximum", 0);
    CheckOptions options;
    options.stop_at_first_failure = true;
    options.explain = false;
    const Record record = run(attempt, options);
    CHECK(verdicts(record) == Ids{"AC", "WA", "SKIP", "SKIP", "SKIP"});
    CHECK(record.levels[2].reason == "not run, since level 2 failed");
    CHECK(record.diagnoses.empty());
    CHECK_FALSE(record.smallest);
}
