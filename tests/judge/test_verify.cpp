// The exercise's own test: what it accepts, and each fault it must find.
#include "catch.hpp"

#include "judge/verify.hpp"
#include "toy.hpp"

#include <algorithm>

using namespace assay;

namespace {

bool has_fault(const SelfTest& test, const std::string& sentence) {
    const bool found = std::find(test.faults.begin(), test.faults.end(), sentence) != test.faults.end();
    if (!found)
        for (const std::string& fault : test.faults) UNSCOPED_INFO(fault);
    return found;
}

const MistakeTrial& trial(const SelfTest& test, const std::string& id, int form = 0) {
    const auto found = std::find_if(test.mistakes.begin(), test.mistakes.end(),
                                    [&](const MistakeTrial& one) { return one.mistake == id && one.form == form; });
    REQUIRE(found != test.mistakes.end());
    return *found;
}

} // namespace

TEST_CASE("the toy exercise is sound", "[judge]") {
    const SelfTest test = verify_oracle(toy::exercise(), 0);
    CHECK(test.right_oracle_passes);
    for (const std::string& fault : test.faults) UNSCOPED_INFO(fault);
    CHECK(test.faults.empty());
    CHECK(test.mistakes.size() == 9);
    for (const MistakeTrial& one : test.mistakes) {
        CAPTURE(one.mistake, one.form);
        CHECK(one.rejected_at == one.belongs);
        CHECK(one.named_right);
    }
    CHECK(trial(test, "mask-ignored").named.size() == 2);
    CHECK(trial(test, "weak-mask", 1).killed_by == std::vector<std::string>{"masked-far"});
    REQUIRE(test.cases.size() == 7);
    CHECK(test.cases[0].id == "small");
    CHECK(test.cases[0].first_kills == std::vector<std::string>{"scale-missing", "over-rows"});
    CHECK(test.cases[1].first_kills.empty());
    CHECK(test.cases[1].stays == "a long row");
    CHECK(test.cases[1].earns_place);
    CHECK(test.cases[4].first_kills == std::vector<std::string>{"weak-mask/1"});
}

TEST_CASE("a mistake that nothing rejects is a fault", "[judge]") {
    Exercise toy = toy::exercise();
    toy.mistakes.push_back({"harmless", "the right answer", {"formula"}, {}});
    const SelfTest test = verify_oracle(toy, 0);
    CHECK(has_fault(test, "mistake harmless is never rejected"));
    CHECK(trial(test, "harmless").rejected_at.empty());
    CHECK_FALSE(trial(test, "harmless").named_right);
}

TEST_CASE("a mistake rejected at another level is a fault", "[judge]") {
    Exercise toy = toy::exercise();
    toy.mistakes[0].levels = {"masks"};
    toy.mistakes[5].levels = {"masks", "formula"};
    const SelfTest test = verify_oracle(toy, 0);
    CHECK(has_fault(test, "mistake scale-missing is rejected at level formula, but belongs to masks"));
    CHECK(has_fault(test, "mistake weak-mask (form 1) is rejected at level masks, but belongs to formula"));
    CHECK(test.faults.size() == 2);
}

TEST_CASE("a mistake told another's name is a fault, unless they are twins", "[judge]") {
    Exercise toy = toy::exercise();
    toy.mistakes[3].twins.clear();
    const SelfTest test = verify_oracle(toy, 0);
    CHECK(has_fault(test, "mistake mask-ignored was told mask-unread"));
    CHECK(has_fault(test, "mistake mask-unread was told mask-ignored"));
    CHECK_FALSE(trial(test, "mask-ignored").named_right);
}

TEST_CASE("a mistake that cannot be named is a fault", "[judge]") {
    Exercise toy = toy::exercise();
    const Oracle right = toy.oracle;
    toy.mistakes.push_back({"all-nan", "NaN everywhere", {"formula"}, {}});
    toy.oracle = [right](const Problem& problem, std::string_view mistake, int form) {
        std::optional<Truths> truths = right(problem, mistake == "all-nan" ? "" : mistake, form);
        if (mistake == "all-nan") std::fill((*truths)[0].value.begin(), (*truths)[0].value.end(), 0.0 / 0.0);
        return truths;
    };
    CHECK(has_fault(verify_oracle(toy, 0), "mistake all-nan was told nothing"));
}

TEST_CASE("a case that kills nothing new must say why it stays", "[judge]") {
    Exercise toy = toy::exercise();
    toy.levels[0].cases[1].stays.clear();
    const SelfTest test = verify_oracle(toy, 0);
    CHECK(
        has_fault(test, "case wide kills no mistake that an earlier case does not kill and does not say why it stays"));
    CHECK_FALSE(test.cases[1].earns_place);
}

TEST_CASE("a bound that rejects the right answer is a fault", "[judge]") {
    Exercise toy = toy::exercise();
    const Oracle right = toy.oracle;
    toy.oracle = [right](const Problem& problem, std::string_view mistake, int form) {
        std::optional<Truths> truths = right(problem, mistake, form);
        if (truths) std::fill((*truths)[0].bound.begin(), (*truths)[0].bound.end(), 0.0);
        return truths;
    };
    const SelfTest test = verify_oracle(toy, 0);
    CHECK_FALSE(test.right_oracle_passes);
    CHECK(has_fault(test, "case small rejects the right answer, rounded to the output's dtype"));
}

TEST_CASE("names that lead nowhere are faults", "[judge]") {
    Exercise toy = toy::exercise();
    toy.levels[1].requires_level = "nowhere";
    toy.levels[1].cases[0].id = "small";
    toy.mistakes[0].levels = {"elsewhere"};
    toy.mistakes[0].twins = {"nobody"};
    const SelfTest test = verify_oracle(toy, 0);
    CHECK(has_fault(test, "level stability requires level nowhere, which there is not"));
    CHECK(has_fault(test, "two cases are called small"));
    CHECK(has_fault(test, "mistake scale-missing belongs to level elsewhere, which there is not"));
    CHECK(has_fault(test, "mistake scale-missing has the twin nobody, which there is not"));
}

TEST_CASE("an oracle that throws is told, with the case", "[judge]") {
    Exercise toy = toy::exercise();
    const Oracle right = toy.oracle;
    toy.oracle = [right](const Problem& problem, std::string_view mistake, int form) {
        if (mistake == "over-rows" && problem.has("mask")) throw std::runtime_error("out of range");
        return right(problem, mistake, form);
    };
    CHECK(has_fault(verify_oracle(toy, 0), "mistake over-rows throws on case masked: out of range"));
    toy.oracle = [](const Problem&, std::string_view, int) -> std::optional<Truths> { throw std::runtime_error("no"); };
    const SelfTest test = verify_oracle(toy, 0);
    CHECK_FALSE(test.right_oracle_passes);
    CHECK(has_fault(test, "case small has no right answer: the oracle of toy threw: no"));
}
