// Which bugs may be planted together, and how they are drawn.
#include "hunt/tiny.hpp"

#include <algorithm>
#include <set>

using namespace assay;
using Ids = std::vector<std::string>;

namespace {

bool told_apart(const Ids& ids) {
    return are_told_apart(tiny::hunt(), tiny::program(), tiny::planted(ids),
                          cases_of(tiny::hunt(), tiny::exercise(), 0));
}

Planted drawn(int count, std::uint64_t seed) {
    return plant(tiny::hunt(), tiny::exercise(), tiny::program(), count, seed);
}

bool has(const Ids& ids, const char* id) { return std::find(ids.begin(), ids.end(), id) != ids.end(); }

const std::string& fragment_at(const Planted& planted, const char* slot) {
    const auto at = static_cast<std::size_t>(tiny::program().slot(slot));
    return tiny::program().slots[at].fragments[static_cast<std::size_t>(planted.choices[at])].name;
}

/// A hunt of eight bugs, each in a slot of its own, each adding a power of two.
Hunt many_bugs(Template& whole) {
    Hunt hunt;
    hunt.id = "many";
    hunt.levels = {"first"};
    hunt.choose = [](const int* choices) { tiny::chosen() = choices; };
    hunt.run = [](const Problem&) {
        double y = 0;
        for (std::size_t slot = 0; slot < 8; ++slot)
            y += tiny::chosen()[slot] == 1 ? std::ldexp(1.0, static_cast<int>(slot)) : 0;
        return tiny::truths(y);
    };
    for (int n = 0; n < 8; ++n) {
        const std::string id = "bug-" + std::to_string(n);
        whole.slots.push_back({"slot-" + std::to_string(n), {{"right", ""}, {id, ""}}});
        hunt.bugs.push_back({id, id, {"three"}});
    }
    return hunt;
}

} // namespace

TEST_CASE("bugs are told apart where every subset of them behaves in its own way") {
    CHECK(told_apart({}));
    CHECK(told_apart({"doubled"}));
    CHECK(told_apart({"flipped"}));   // the second level's first case alone shows it
    CHECK(told_apart({"no-number"})); // NaN at the last case
    CHECK(told_apart({"doubled", "two", "left-more", "flipped", "no-number"}));
}

TEST_CASE("a bug without effect, or with less than two bounds, is not told from right code") {
    CHECK_FALSE(told_apart({"idle"}));
    CHECK_FALSE(told_apart({"gentle"})); // 0.2 away, and each of the two answers may be 0.125 off
    CHECK_FALSE(told_apart({"doubled", "idle"}));
}

TEST_CASE("two bugs that cancel are not told apart, nor one that hides another, nor two alike") {
    CHECK(told_apart({"halved"}));
    CHECK_FALSE(told_apart({"doubled", "halved"}));
    CHECK(told_apart({"seven"}));
    CHECK_FALSE(told_apart({"seven", "two"}));
    CHECK(told_apart({"left-more"}));
    CHECK(told_apart({"right-more"}));
    CHECK_FALSE(told_apart({"left-more", "right-more"}));
}

TEST_CASE("the hunt's levels give the cases, with the seed") {
    const std::vector<HuntCase> cases = cases_of(tiny::hunt(), tiny::exercise(), 5);
    REQUIRE(cases.size() == 3);
    CHECK(cases[0].one->id == "three");
    CHECK(cases[1].one->id == "minus");
    CHECK(cases[2].one->id == "zero");
    CHECK(cases[0].level->id == "first");
    CHECK(cases[2].level->id == "second");
    CHECK(cases[1].problem.integer("seed") == 5);
}

TEST_CASE("500 seeds: what is drawn is told apart, lies in slots of its own, and the rest is right code") {
    const std::vector<HuntCase> cases = cases_of(tiny::hunt(), tiny::exercise(), 0);
    std::set<std::string> seen;
    std::set<Ids> drawings;
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        const int count = 1 + static_cast<int>(seed % 4);
        const Planted planted = drawn(count, seed);
        const Ids ids = tiny::names(planted);
        INFO("seed " << seed);
        // `seven` goes with nothing, so one that starts with it stays alone
        CHECK(static_cast<int>(ids.size()) == (has(ids, "seven") ? 1 : count));
        CHECK(std::is_sorted(planted.bugs.begin(), planted.bugs.end()));
        CHECK(are_told_apart(tiny::hunt(), tiny::program(), planted, cases));
        CHECK_FALSE(has(ids, "idle"));
        CHECK_FALSE(has(ids, "gentle"));
        CHECK_FALSE((has(ids, "doubled") && has(ids, "halved")));
        CHECK_FALSE((has(ids, "left-more") && has(ids, "right-more")));
        CHECK_FALSE((has(ids, "two") && has(ids, "four")));
        std::size_t bugs = 0;
        REQUIRE(planted.choices.size() == tiny::program().slots.size());
        for (std::size_t slot = 0; slot < planted.choices.size(); ++slot) {
            const Fragment& fragment =
                tiny::program().slots[slot].fragments[static_cast<std::size_t>(planted.choices[slot])];
            bugs += fragment.is_right() ? 0 : 1;
            CHECK((fragment.is_right() || has(ids, fragment.name.c_str())));
            seen.insert(fragment.name);
        }
        CHECK(bugs == ids.size());
        drawings.insert(ids);
    }
    // every bug that may be planted, every variant and decoy comes up
    for (const auto& [slot, fragments] : tiny::slots())
        for (const std::string& fragment : fragments) {
            INFO(fragment);
            CHECK((seen.count(fragment) == 1) == (fragment != "idle" && fragment != "gentle"));
        }
    CHECK(drawings.size() > 50);
}

TEST_CASE("the same seed draws the same, another one another") {
    std::set<std::vector<int>> choices;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        CHECK(drawn(3, seed).choices == drawn(3, seed).choices);
        CHECK(drawn(3, seed).bugs == drawn(3, seed).bugs);
        choices.insert(drawn(3, seed).choices);
    }
    CHECK(choices.size() > 10);
}

TEST_CASE("six bugs are the most, and fewer come where there are not so many") {
    Template whole;
    const Hunt many = many_bugs(whole);
    for (int count = 0; count <= 9; ++count)
        CHECK(plant(many, tiny::exercise(), whole, count, 1).bugs.size() ==
              static_cast<std::size_t>(std::min(count, most_bugs)));
    Hunt two = many;
    two.bugs.resize(2);
    CHECK(plant(two, tiny::exercise(), whole, 5, 1).bugs == std::vector<int>{0, 1});
}

TEST_CASE("a bug without a fragment is passed over") {
    Hunt hunt = tiny::hunt();
    hunt.bugs = {{"nowhere", "", {"three"}}, {"two", "", {"three"}}};
    CHECK(plant(hunt, tiny::exercise(), tiny::program(), 2, 0).bugs == std::vector<int>{1});
}

TEST_CASE("a subset of the planted bugs stands in its slots, right code in theirs, and decoys stay") {
    Planted planted = tiny::planted({"two", "flipped"}); // in the order of hunt.bugs: two, flipped
    REQUIRE(tiny::names(planted) == Ids{"two", "flipped"});
    const auto scale = static_cast<std::size_t>(tiny::program().slot("scale"));
    planted.choices[scale] = tiny::program().slots[scale].position("decoy--sum");
    const std::vector<Ids> offset_and_sign{
        {"right", "right"}, {"two", "right"}, {"right", "flipped"}, {"two", "flipped"}};
    for (unsigned subset = 0; subset < 4; ++subset) {
        const Planted with{planted.bugs, with_bugs(tiny::hunt(), tiny::program(), planted, subset)};
        CHECK(fragment_at(with, "offset") == offset_and_sign[subset][0]);
        CHECK(fragment_at(with, "sign") == offset_and_sign[subset][1]);
        CHECK(fragment_at(with, "scale") == "decoy--sum");
        CHECK(fragment_at(with, "idle") == "right");
    }
}
