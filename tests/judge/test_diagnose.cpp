// Naming mistakes: what fits, what does not, and what is told apart.
#include "catch.hpp"

#include "judge/diagnose.hpp"
#include "judge/explain.hpp"
#include "judge/oracle_attempt.hpp"
#include "toy.hpp"

#include <algorithm>

using namespace assay;

namespace {

std::vector<std::string> ids(const std::vector<Diagnosis>& diagnoses) {
    std::vector<std::string> all;
    all.reserve(diagnoses.size());
    for (const Diagnosis& diagnosis : diagnoses) all.push_back(diagnosis.mistake);
    return all;
}

using Ids = std::vector<std::string>;

Truths truth(const Exercise& toy, const Problem& problem) { return *toy.oracle(problem, "", 0); }
Outputs wrong(const Exercise& toy, const Problem& problem, std::string_view mistake, int form = 0) {
    return rounded(*toy.oracle(problem, mistake, form));
}

/// Feeds cases with one mistake to a diagnoser.
void add(Diagnoser& diagnoser, const Exercise& toy, const Problem& problem, std::string_view mistake, int form = 0) {
    diagnoser.add_failing(problem, wrong(toy, problem, mistake, form), truth(toy, problem));
}

} // namespace

TEST_CASE("a mistake is named in its own words", "[judge]") {
    const Exercise toy = toy::exercise();
    Diagnoser diagnoser(toy);
    CHECK(diagnoser.result().empty());
    add(diagnoser, toy, toy::problem(1, {}), "over-rows");
    REQUIRE(diagnoser.result().size() == 1);
    CHECK(diagnoser.result()[0].mistake == "over-rows");
    CHECK(diagnoser.result()[0].sentence == "your output matches softmax over rows");
}

TEST_CASE("a mistake must explain every failing case", "[judge]") {
    const Exercise toy = toy::exercise();
    Diagnoser diagnoser(toy);
    add(diagnoser, toy, toy::problem(1, {}), "over-rows");
    add(diagnoser, toy, toy::problem(2, {}), "scale-missing");
    CHECK(diagnoser.result().empty());
}

TEST_CASE("an answer that matches nothing is given no name", "[judge]") {
    const Exercise toy = toy::exercise();
    Diagnoser diagnoser(toy);
    const Problem problem = toy::problem(1, {});
    Outputs got = wrong(toy, problem, "scale-missing");
    got.arrays[0].second.set(Index{0, 1}, 0.123); // all but one element match
    diagnoser.add_failing(problem, got, truth(toy, problem));
    CHECK(diagnoser.result().empty());
}

TEST_CASE("a mistake that makes no difference explains nothing", "[judge]") {
    const Exercise toy = toy::exercise();
    Problem problem = toy::problem(1, {});
    problem.find("scale")->value = 1.0; // so that the scale cannot be missed
    Exercise same = toy;
    same.oracle = [&toy](const Problem& asked, std::string_view mistake, int form) {
        Problem unscaled = asked;
        if (mistake == "scale-missing") unscaled.find("scale")->value = 1.0;
        return toy.oracle(unscaled, mistake == "scale-missing" ? "" : mistake, form);
    };
    Diagnoser diagnoser(same);
    diagnoser.add_failing(problem, wrong(same, problem, ""), truth(same, problem));
    CHECK(diagnoser.fitting().empty());
}

TEST_CASE("equal patterns of NaN alone are no match", "[judge]") {
    const Exercise toy = toy::exercise();
    Problem problem = toy::problem(1, {1, 3, true, 1}); // one row, and all of it forbidden
    std::get<Array>(problem.find("mask")->value) = Array::zeros(Dtype::boolean, {1, 3});
    Diagnoser diagnoser(toy);
    add(diagnoser, toy, problem, "empty-nan");
    CHECK(diagnoser.result().empty());
    Problem two = toy::problem(2, {2, 3, true, 1});
    Array& mask = std::get<Array>(two.find("mask")->value);
    for (std::int64_t column = 0; column < 3; ++column) mask.set(Index{0, column}, 0);
    add(diagnoser, toy, two, "empty-nan"); // the other row's numbers match
    CHECK(ids(diagnoser.result()) == Ids{"empty-nan"});
}

TEST_CASE("where a mistake cannot be made it is neither confirmed nor ruled out", "[judge]") {
    const Exercise toy = toy::exercise();
    Diagnoser diagnoser(toy);
    add(diagnoser, toy, toy::problem(1, {3, 4, true, 1}), "mask-ignored");
    CHECK(ids(diagnoser.result()) == Ids{"mask-ignored", "mask-unread"});
    const Problem unmasked = toy::problem(2, {});
    Outputs got = rounded(truth(toy, unmasked));
    got.arrays[0].second.set(Index{0, 0}, 9);
    diagnoser.add_failing(unmasked, got, truth(toy, unmasked));
    CHECK(ids(diagnoser.result()) == Ids{"mask-ignored", "mask-unread"});
    Diagnoser other(toy);
    other.add_failing(unmasked, got, truth(toy, unmasked));
    CHECK(other.result().empty()); // never made, so never matched
}

TEST_CASE("passing cases rule out mistakes that would have failed them", "[judge]") {
    const Exercise toy = toy::exercise();
    const Problem masked = toy::problem(1, {3, 4, true, 1}), unmasked = toy::problem(2, {});
    Diagnoser diagnoser(toy);
    add(diagnoser, toy, masked, "scale-missing");
    diagnoser.add_passing(unmasked, truth(toy, unmasked));
    CHECK(diagnoser.result().empty());
    Diagnoser other(toy);
    add(other, toy, masked, "mask-ignored");
    other.add_passing(unmasked, truth(toy, unmasked));
    CHECK(ids(other.result()) == Ids{"mask-ignored", "mask-unread"});
}

TEST_CASE("an answer of the wrong shape ends the diagnosis", "[judge]") {
    const Exercise toy = toy::exercise();
    const Problem problem = toy::problem(1, {});
    Diagnoser diagnoser(toy);
    add(diagnoser, toy, problem, "over-rows");
    diagnoser.add_failing(problem, {{{"y", Array::zeros(Dtype::f32, {12})}}}, truth(toy, problem));
    CHECK(diagnoser.result().empty());
}

TEST_CASE("forms of one mistake are one diagnosis, and each is matched by its own value", "[judge]") {
    const Exercise toy = toy::exercise();
    const Problem problem = toy::problem(1, {3, 5, true, 1});
    for (const int form : {0, 1}) {
        Diagnoser diagnoser(toy);
        diagnoser.add_failing(problem, wrong(toy, problem, "weak-mask", form), truth(toy, problem));
        if (form == 1) continue; // -30 is as good as minus infinity on such small logits
        CHECK(ids(diagnoser.result()) == Ids{"weak-mask"});
        REQUIRE(diagnoser.fitting().size() == 1);
        CHECK(diagnoser.fitting()[0].form == 0);
    }
}

TEST_CASE("two that fit alike are parted by a problem on which they differ", "[judge]") {
    const Exercise toy = toy::exercise();
    // With one column per row allowed by nothing but the mask, no mask and a mask of ones look alike ...
    Exercise merged = toy;
    merged.mistakes = {toy.mistakes[0],
                       {"also-missing", "a scale that is only missing without a mask", {"formula"}, {}}};
    merged.oracle = [&toy](const Problem& asked, std::string_view mistake, int form) -> std::optional<Truths> {
        if (mistake == "also-missing") return toy.oracle(asked, asked.has("mask") ? "" : "scale-missing", form);
        return toy.oracle(asked, mistake, form);
    };
    const Problem unmasked = toy::problem(1, {}), masked = toy::problem(2, {3, 4, true, 1});
    Diagnoser diagnoser(merged);
    add(diagnoser, merged, unmasked, "scale-missing");
    CHECK(ids(diagnoser.result()) == Ids{"scale-missing", "also-missing"});
    CHECK(diagnoser.ambiguous());
    CHECK_FALSE(diagnoser.parts(unmasked));
    CHECK(diagnoser.parts(masked));
    diagnoser.narrow(masked, {{{"y", Array::zeros(Dtype::f32, {3, 4})}}}); // neither: nothing is learnt
    CHECK(diagnoser.ambiguous());
    diagnoser.narrow(masked, wrong(merged, masked, "also-missing"));
    CHECK(ids(diagnoser.result()) == Ids{"also-missing"});

    // ... and explain finds such a problem by itself: the cases of the toy's masks level.
    OracleAttempt attempt(merged, "scale-missing", 0);
    Evidence evidence{&merged.levels[0],
                      "small",
                      std::make_shared<const Problem>(unmasked),
                      std::make_shared<const Truths>(truth(toy, unmasked)),
                      {}};
    evidence.asked = ask(merged, merged.levels[0], attempt, *evidence.problem, *evidence.truth);
    REQUIRE(evidence.asked.verdict == Verdict::WA);
    CHECK(ids(explain(merged, attempt, 0, std::vector<Evidence>{evidence})) == Ids{"scale-missing"});
    merged.levels.resize(1); // no such case: a random problem parts them
    merged.level_of = [](const Problem&) { return std::string("formula"); };
    CHECK(ids(explain(merged, attempt, 0, std::vector<Evidence>{evidence})) == Ids{"scale-missing"});
    merged.random = {};
    CHECK(ids(explain(merged, attempt, 0, std::vector<Evidence>{evidence})) == Ids{"scale-missing", "also-missing"});
}

TEST_CASE("an answer of zeros may be a mistake or no attempt at all", "[judge]") {
    const Exercise toy = toy::exercise();
    Exercise zeros = toy;
    zeros.mistakes = {{"gives-up", "zeros where the maximum is large", {"stability"}, {}}};
    zeros.oracle = [&toy](const Problem& asked, std::string_view mistake, int form) -> std::optional<Truths> {
        std::optional<Truths> truths = toy.oracle(asked, "", form);
        if (mistake == "gives-up") std::fill((*truths)[0].value.begin(), (*truths)[0].value.end(), 0.0);
        return truths;
    };
    Diagnoser diagnoser(zeros);
    add(diagnoser, zeros, toy::problem(1, {}), "gives-up");
    CHECK(ids(diagnoser.result()) == Ids{"gives-up", "pattern:zero"});
}

TEST_CASE("twins are no ambiguity", "[judge]") {
    const Exercise toy = toy::exercise();
    Diagnoser diagnoser(toy);
    add(diagnoser, toy, toy::problem(1, {3, 4, true, 1}), "mask-unread");
    CHECK(diagnoser.fitting().size() == 2);
    CHECK_FALSE(diagnoser.ambiguous());
    CHECK(are_twins(toy.mistakes[3], toy.mistakes[4]));
    CHECK(are_twins(toy.mistakes[4], toy.mistakes[3]));
    CHECK_FALSE(are_twins(toy.mistakes[0], toy.mistakes[3]));
}
