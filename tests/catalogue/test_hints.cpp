// hints.md falls apart into levels and hints.
#include "catalogue/embedded.hpp"
#include "catalogue/hints.hpp"
#include "catch.hpp"
#include "core/registry.hpp"

using namespace assay;

TEST_CASE("sections are levels, numbered items are hints") {
    const auto hints = split_hints(
        "# Hints\n\nLead.\n\n## one\n\n1. First\n   goes on:\n\n       code(1);\n\n2. Second\n\n## two\n\nAll of "
        "it.\n\n- a\n");
    REQUIRE(hints.size() == 2);
    REQUIRE(hints.at("one") == std::vector<std::string>{"First\ngoes on:\n\n    code(1);", "Second"});
    REQUIRE(hints.at("two") == std::vector<std::string>{"All of it.\n\n- a"});
}

TEST_CASE("headings part hints too, and code is left alone") {
    const auto hints = split_hints("## one\n### a\nA\n```\n## not a level\n1. not an item\n```\n### b\nB\n");
    REQUIRE(hints.size() == 1);
    REQUIRE(hints.at("one") == std::vector<std::string>{"A\n```\n## not a level\n1. not an item\n```", "B"});
}

TEST_CASE("every level of sdpa has a hint, and no hint is for a level that is not there") {
    const auto hints = split_hints(embedded("exercises/sdpa/hints.md").value_or(""));
    const Exercise& exercise = *find_exercise("sdpa");
    REQUIRE(hints.size() == exercise.levels.size());
    for (const Level& level : exercise.levels) {
        CAPTURE(level.id);
        REQUIRE(hints.count(level.id) == 1);
        REQUIRE_FALSE(hints.at(level.id).empty());
    }
}
