// Calculators: what single numbers, two mistakes at once and factors of units are told.
#include "catch.hpp"

#include "core/items.hpp"
#include "judge/compare.hpp"
#include "judge/explain.hpp"
#include "judge/factors.hpp"
#include "judge/oracle_attempt.hpp"
#include "judge/verify_pairs.hpp"

#include <algorithm>
#include <assay/unset.hpp>

using namespace assay;

namespace {

/// t = bytes / rate, shared by n; and whether it is more than a second.
Truths oracle(const Problem& problem, const Slips& on) {
    const double n = static_cast<double>(problem.integer("n"));
    const double bytes = static_cast<double>(problem.integer("elements")) * (on("four-bytes") ? 4 : 2);
    const double share = on("not-shared") ? bytes : bytes / n;
    const double t = share / (problem.number_or("rate", 1) / (on("bits") ? 8 : 1) * (on("also-bits") ? 0.125 : 1));
    return Items()
        .number("bytes", bytes, "B")
        .number("share", share, "B")
        .number("t", t, "s")
        .choice("slow", t > 1 ? 1 : 0, "0 no, 1 yes")
        .take();
}

Problem problem_of(std::int64_t elements, std::int64_t n, double rate) {
    return {"count", {{"elements", elements, {}}, {"n", n, {}}, {"rate", rate, {}}}};
}

Exercise calculator(bool with_a_double = false) {
    Exercise exercise;
    exercise.id = "calculator";
    Level level;
    level.id = "count";
    level.functions = {"count"};
    level.cases = {{"seven", "", [](std::uint64_t) { return problem_of(70, 7, 3); }, ""},
                   {"three", "", [](std::uint64_t) { return problem_of(15, 3, 11); }, ""},
                   {"one", "", [](std::uint64_t) { return problem_of(6, 1, 4); }, ""}};
    exercise.levels = {level};
    exercise.mistakes = {{"four-bytes", "taking 4 bytes an element", {"count"}, {}},
                         {"not-shared", "leaving out the division by n", {"count"}, {}},
                         {"bits", "reading the rate as bits", {"count"}, {}}};
    if (with_a_double) exercise.mistakes.push_back({"also-bits", "dividing the rate by 8", {"count"}, {}});
    set_calculator(exercise, oracle);
    return exercise;
}

/// What an attempt is told that answers each case with `answer`.
std::vector<Diagnosis> told(const Exercise& exercise, const OracleAttempt::Answers& answer) {
    std::vector<Evidence> evidence;
    for (const Case& one : exercise.levels[0].cases) {
        Evidence entry{&exercise.levels[0], one.id, std::make_shared<const Problem>(one.make(0)), nullptr, {}};
        entry.truth = std::make_shared<const Truths>(*exercise.oracle(*entry.problem, "", 0));
        entry.asked.got = rounded(*answer(*entry.problem));
        entry.asked.findings = compare(entry.asked.got, *entry.truth);
        entry.asked.verdict = entry.asked.findings.empty() ? Verdict::AC : Verdict::WA;
        evidence.push_back(std::move(entry));
    }
    OracleAttempt attempt(exercise, answer);
    return explain(exercise, attempt, 0, evidence);
}

std::vector<Diagnosis> told(const Exercise& exercise, const Slips& on) {
    return told(exercise, [on](const Problem& problem) { return oracle(problem, on); });
}

/// The right answer with one item changed.
OracleAttempt::Answers changed(const std::string& item, std::function<double(const Problem&, double)> change) {
    return [=](const Problem& problem) {
        Truths truths = oracle(problem, {});
        for (Truth& truth : truths)
            if (truth.name == item) truth.value[0] = change(problem, truth.value[0]);
        return std::optional(truths);
    };
}

} // namespace

TEST_CASE("a mistake is told by the first number that it spoils") {
    const Exercise exercise = calculator();
    const auto one = told(exercise, Slips{{"not-shared", 0}});
    REQUIRE(one.size() == 1);
    CHECK(one[0].mistake == "not-shared");
    CHECK(one[0].sentence == "your share is 140 B, which is what you get by leaving out the division by n");
}

TEST_CASE("two mistakes made together are told as both") {
    const auto two = told(calculator(), Slips{{"four-bytes", 0}, {"bits", 0}});
    REQUIRE(two.size() == 1);
    CHECK(two[0].mistake == "four-bytes+bits");
    CHECK(two[0].sentence ==
          "your output matches two mistakes at once: taking 4 bytes an element; and reading the rate as bits");
}

TEST_CASE("a single number is explained where the rest is not") {
    const auto item = told(calculator(), [](const Problem& problem) {
        Truths truths = oracle(problem, Slips{{"not-shared", 0}});
        truths[2].value[0] = truths[2].value[0] * 3.7 + 1; // nobody's t
        return std::optional(truths);
    });
    REQUIRE(item.size() == 1);
    CHECK(item[0].mistake == "not-shared");
}

TEST_CASE("a factor with a name is told, one without is not") {
    const auto unit = [](double factor) {
        return told(calculator(), changed("t", [=](const Problem&, double t) { return t * factor; }));
    };
    REQUIRE(unit(1000).size() == 1);
    CHECK(unit(1000)[0].mistake == "unit:k");
    CHECK(unit(1000)[0].sentence.find("t is 6666.67 s, 1000 times the right one") != std::string::npos);
    CHECK(unit(1.073741824)[0].mistake == "unit:Gi");
    CHECK(unit(1 / 1.048576)[0].mistake == "unit:1/Mi");
    CHECK(unit(0.5)[0].mistake == "unit:1/two");
    CHECK(unit(3.7).empty());
    const auto by_n = told(calculator(), changed("t", [](const Problem& problem, double t) {
                               return t * static_cast<double>(problem.integer("n") * problem.integer("n"));
                           }));
    REQUIRE(by_n.size() == 1);
    CHECK(by_n[0].mistake == "unit:times n squared");
    CHECK(by_n[0].sentence == "your t is 326.667 s, n² (7²) times the right one");
}

TEST_CASE("a factor must be the same in every case") {
    CHECK(told(calculator(), changed("t", [](const Problem& problem,
                                             double t) { return problem.integer("n") == 7 ? 1000 * t : 8 * t; }))
              .empty());
    // 7 times the right one in one case only is n, but three times it in the other is n as well.
    CHECK(told(calculator(),
               changed("t", [](const Problem& problem, double t) { return problem.integer("n") == 7 ? 7 * t : 2 * t; }))
              .empty());
}

TEST_CASE("an item that nobody set is told so, unless NaN is right") {
    const Truths truths = Items().number("t", 2, "s").whole("n", 3).take();
    Outputs got;
    got.arrays = {{"t", Array::of(Dtype::f64, {}, std::vector<double>{unset})},
                  {"n", Array::of(Dtype::i64, {}, std::vector<double>{static_cast<double>(unset_integer)})}};
    const std::vector<Finding> findings = compare(got, truths);
    REQUIRE(findings.size() == 2);
    CHECK(findings[0].kind == FindingKind::unwritten_output);
    CHECK(findings[0].unit == "s");
    CHECK(findings[1].kind == FindingKind::unwritten_output);
    got.arrays.pop_back();
    CHECK(compare(got, Items().number("t", std::nan(""), "s").take()).empty());
    got.arrays[0].second = Array::of(Dtype::f64, {}, std::vector<double>{std::nan("")});
    CHECK(compare(got, Items().number("t", 2, "s").take()).at(0).kind == FindingKind::nan);
}

TEST_CASE("invalid input is called so once, and only where nothing is to be set") {
    const auto notes = [](const Truths& truths) {
        Outputs got;
        got.arrays = {{"state", Array::of(Dtype::i64, {}, std::vector<double>{0})},
                      {"t", Array::of(Dtype::f64, {}, std::vector<double>{1})},
                      {"n", Array::of(Dtype::i64, {}, std::vector<double>{1})}};
        std::vector<std::string> all;
        for (const Finding& finding : compare(got, truths)) all.push_back(finding.note);
        return all;
    };
    const auto truths = [](std::int64_t state) {
        return Items()
            .choice("state", state, "0 ok, 1 refused")
            .number("t", std::nan(""), "s")
            .whole("n", assay::unset_integer)
            .take();
    };
    CHECK(notes(truths(-1)) == std::vector<std::string>{"The input is invalid: every item is to stay unset.", "", ""});
    CHECK(notes(truths(1)) == std::vector<std::string>{"", "", ""}); // it says why: a valid question
}

namespace {

/// A mask and how many it takes, as a label's ids are counted.
Truths taking(const Problem& problem, const Slips& on) {
    const auto n = static_cast<std::size_t>(problem.integer("n"));
    std::vector<double> mask(n + 2, 1);
    mask[0] = on("first") ? 1 : 0;
    mask[n + 1] = on("last") ? 1 : 0;
    const auto count = std::count(mask.begin(), mask.end(), 1.0);
    Items items;
    items.tensor("mask", {static_cast<std::int64_t>(n + 2)}, mask, std::vector<double>(n + 2, 0), Dtype::boolean);
    return items.whole("count", count).take();
}

} // namespace

TEST_CASE("a count is not explained by a mistake that counts others") {
    Exercise exercise = calculator();
    exercise.mistakes = {{"first", "taking the first", {"count"}, {}}, {"last", "taking the last", {"count"}, {}}};
    set_calculator(exercise, taking);
    CHECK(told(exercise,
               [](const Problem& problem) {
                   return taking(problem, {{"last", 0}});
               })
              .at(0)
              .mistake == "last");
    const auto doubled = told(exercise, [](const Problem& problem) {
        Truths truths = taking(problem, {{"last", 0}});
        truths[0].value[1] = 0; // one more and one less: as many as are right, and once more than that
        truths[1].value[0] = static_cast<double>(problem.integer("n")) + 1;
        return std::optional(truths);
    });
    CHECK(doubled.empty());
}

TEST_CASE("small whole numbers are twice each other by chance") {
    const auto twice = [](std::int64_t n) {
        Exercise exercise = calculator();
        exercise.mistakes.clear();
        exercise.levels[0].cases = {{"one", "", [n](std::uint64_t) { return problem_of(1, n, 1); }, ""}};
        const auto count = [](const Problem& problem, const Slips&) {
            return Items().whole("count", problem.integer("n")).take();
        };
        set_calculator(exercise, count);
        return told(exercise, [&](const Problem& problem) {
            return std::optional(Items().whole("count", 8 * problem.integer("n")).take());
        });
    };
    CHECK(twice(2).empty());
    REQUIRE(twice(17).size() == 1);
    CHECK(twice(17)[0].mistake == "unit:bits");
}

TEST_CASE("an item that was left unset is not called NaN") {
    const auto one = told(calculator(), changed("t", [](const Problem&, double) { return unset; }));
    CHECK(one.empty());
    Exercise exercise = calculator();
    exercise.mistakes = {{"refuses", "refusing what is valid", {"count"}, {}}};
    const auto refused = [](const Problem& problem, const Slips& on) {
        Truths truths = oracle(problem, {});
        if (on("refuses")) {
            truths[1].value[0] = unset;
            truths[3].value[0] = 7; // a state that says why
        }
        return truths;
    };
    set_calculator(exercise, refused);
    const auto told_so = told(exercise, [&](const Problem& problem) {
        return std::optional(refused(problem, {{"refuses", 0}}));
    });
    REQUIRE(told_so.size() == 1);
    CHECK(told_so[0].sentence == "your share is unset, which is what you get by refusing what is valid");
}

TEST_CASE("items allow roundings of float64 and no more") {
    const auto rejects = [](double factor) {
        Outputs got;
        got.arrays = {{"t", Array::of(Dtype::f64, {}, std::vector<double>{3 * factor})}};
        return !compare(got, Items().number("t", 3, "s").take()).empty();
    };
    CHECK_FALSE(rejects(1 + 0x1p-50));
    CHECK(rejects(1 + 0x1p-46));
    CHECK(rejects(1 + 0x1p-24)); // float32 inside
}

TEST_CASE("every pair of mistakes is played, and two that no case parts are found") {
    const PairTest sound = verify_pairs(calculator(), 0);
    CHECK(sound.faults == std::vector<std::string>{});
    CHECK(sound.played == 3);
    CHECK(sound.both == 3);
    const PairTest doubled = verify_pairs(calculator(true), 0);
    REQUIRE(!doubled.faults.empty());
    CHECK(doubled.faults[0].find("bits and also-bits answer every case alike") != std::string::npos);
    Exercise twins = calculator(true);
    twins.mistakes.back().twins = {"bits"};
    const PairTest declared = verify_pairs(twins, 0);
    CHECK(declared.faults == std::vector<std::string>{});
    CHECK(declared.twins == std::vector<std::string>{"bits and also-bits"});
    CHECK(sound.twins.empty());
}

TEST_CASE("an exercise whose oracle does not combine mistakes has no pairs to play") {
    Exercise exercise = calculator();
    exercise.combined = {};
    CHECK(verify_pairs(exercise, 0).played == 0);
    CHECK(told(exercise, Slips{{"four-bytes", 0}, {"bits", 0}}).empty());
}
