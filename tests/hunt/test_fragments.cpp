// Templates and fragments: how they are read, pasted and made a switch, and what is said of files that do not fit.
#include "sandbox/process.hpp"
#include "catch.hpp"
#include "hunt/fragments.hpp"
#include "hunt/scratch.hpp"

#include <fmt/format.h>

using namespace assay;
using Files = std::vector<std::pair<std::string, std::string>>;

namespace {

Template read(const Files& files, std::string_view extension = "cpp") {
    Outcome<Template> whole = read_template(files, extension);
    REQUIRE(whole);
    return *whole;
}

std::string reason(const Files& files, std::string_view extension = "cpp") {
    const Outcome<Template> whole = read_template(files, extension);
    REQUIRE_FALSE(whole);
    CHECK(whole.failure().verdict == Verdict::JE);
    return whole.failure().reason;
}

std::vector<std::string> names(const Slot& slot) {
    std::vector<std::string> all;
    for (const Fragment& fragment : slot.fragments) all.push_back(fragment.name);
    return all;
}

/// The text with fragment `name` of `slot`, right code elsewhere.
std::string pasted(const Template& whole, std::string_view slot = "", std::string_view name = "") {
    std::vector<int> choices(whole.slots.size(), 0);
    if (!slot.empty()) {
        const auto at = static_cast<std::size_t>(whole.slot(slot));
        choices[at] = whole.slots[at].position(name);
        REQUIRE(choices[at] >= 0);
    }
    return paste(whole, choices);
}

} // namespace

TEST_CASE("fragments that are right code are named right, right--how or decoy--what") {
    for (const char* name : {"right", "right--early", "decoy--max"}) CHECK(Fragment{name, ""}.is_right());
    for (const char* name : {"mask-inverted", "right-by-hand", "decoys", "upright", ""})
        CHECK_FALSE(Fragment{name, ""}.is_right());
}

TEST_CASE("slots come by name, their fragments by name after right") {
    const Template whole = read({{"template.cpp", "@{b}\nx = @{a};\n"},
                                 {"a/zero.cpp", "0"},
                                 {"b/right.cpp", "go();\n"},
                                 {"a/right.cpp", "1"},
                                 {"a/decoy--one.cpp", "2 - 1"},
                                 {"a/right--sum.cpp", "0 + 1"}});
    REQUIRE(whole.slots.size() == 2);
    CHECK(whole.slots[0].name == "a");
    CHECK(names(whole.slots[0]) == std::vector<std::string>{"right", "decoy--one", "right--sum", "zero"});
    CHECK(whole.slots[0].position("right") == 0);
    CHECK(whole.slots[0].position("zero") == 3);
    CHECK(whole.slots[0].position("none") == -1);
    CHECK(whole.slot("b") == 1);
    CHECK(whole.slot("c") == -1);
}

TEST_CASE("the order of the files does not matter, and other extensions are left out") {
    const Files files{{"template.cpp", "x = @{a};\n"},
                      {"template.py", "y = @{b}\n"},
                      {"a/right.cpp", "1"},
                      {"a/wrong.cpp", "2"},
                      {"b/right.py", "3"},
                      {"a/notes.txt", "none"},
                      {"README.md", "of the folder"},
                      {"a/right.cpp.orig", "left over"}};
    const Files backwards(files.rbegin(), files.rend());
    CHECK(pasted(read(files)) == "x = 1;\n");
    CHECK(pasted(read(backwards), "a", "wrong") == "x = 2;\n");
    CHECK(read(backwards).slots.size() == 1);
    CHECK(pasted(read(files, "py")) == "y = 3\n");
}

TEST_CASE("a block is indented as its line, empty lines of it are not") {
    const Files files{{"template.cpp", "void f() {\n    @{body}\n}\n"},
                      {"body/right.cpp", "if (a) {\n    b();\n\n}\n"},
                      {"body/unended.cpp", "b();"},
                      {"body/nothing.cpp", ""}};
    const Template whole = read(files);
    CHECK(pasted(whole) == "void f() {\n    if (a) {\n        b();\n\n    }\n}\n");
    CHECK(pasted(whole, "body", "unended") == "void f() {\n    b();\n}\n");
    CHECK(pasted(whole, "body", "nothing") == "void f() {\n}\n");
}

TEST_CASE("an expression stands in its line, its further lines one step deeper") {
    const Template whole = read({{"template.cpp", "  x = f(@{a}, @{b});\n  y;\n"},
                                 {"a/right.cpp", "1\n"},
                                 {"a/long.cpp", "first +\nsecond\n"},
                                 {"b/right.cpp", "2"}});
    CHECK(pasted(whole) == "  x = f(1, 2);\n  y;\n");
    CHECK(pasted(whole, "a", "long") == "  x = f(first +\n      second, 2);\n  y;\n");
}

TEST_CASE("a slot at the end or the beginning of a line is an expression where anything stands beside it") {
    CHECK(pasted(read({{"template.cpp", "    return @{a}\n"}, {"a/right.cpp", "1;\n"}})) == "    return 1;\n");
    CHECK(pasted(read({{"template.cpp", "    @{a};\n"}, {"a/right.cpp", "g()\n"}})) == "    g();\n");
    CHECK(pasted(read({{"template.cpp", "@{a}@{b}\n"}, {"a/right.cpp", "1"}, {"b/right.cpp", "2"}})) == "12\n");
    CHECK(pasted(read({{"template.cpp", "@{a}"}, {"a/right.cpp", "last"}})) == "last\n");
}

TEST_CASE("what is not a slot is left as it is") {
    const std::string text = "a {@} b\n\n  email@{a}\n";
    CHECK(pasted(read({{"template.cpp", text}, {"a/right.cpp", "host"}})) == "a {@} b\n\n  emailhost\n");
}

TEST_CASE("files that do not fit are said to be so") {
    const std::string of = "the hunt's ";
    CHECK(reason({{"a/right.cpp", "1"}}) == of + "folder has no template.cpp");
    CHECK(reason({{"template.cpp", "x\n"}}, "py") == of + "folder has no template.py");
    CHECK(reason({}) == of + "folder has no template.cpp");
    CHECK(reason({{"template.cpp", ""}}) == of + "folder has no template.cpp");
    CHECK(reason({{"template.cpp", "x = @{a;\n"}, {"a/right.cpp", "1"}}) ==
          of + "template has a slot that is not closed: x = @{a;");
    CHECK(reason({{"template.cpp", "x = @{a};\n"}}) == of + "slot a has no fragments in cpp");
    CHECK(reason({{"template.py", "x = @{a}\n"}, {"a/right.cpp", "1"}}, "py") == of + "slot a has no fragments in py");
    CHECK(reason({{"template.cpp", "x\n"}, {"a/right.cpp", "1"}}) == of + "slot a stands 0 times in the template");
    CHECK(reason({{"template.cpp", "@{a}\n@{a}\n"}, {"a/right.cpp", "1"}}) ==
          of + "slot a stands 2 times in the template");
    CHECK(reason({{"template.cpp", "@{a}\n"}, {"a/wrong.cpp", "1"}, {"a/right--other.cpp", "1"}}) ==
          of + "slot a has no fragment called right");
}

TEST_CASE("the switched program runs the chosen fragments, whatever they are") {
    const Template whole = read({{"template.cpp", "#include <vector>\n"
                                                  "namespace sums {\n"
                                                  "int sum(const std::vector<int>& values) {\n"
                                                  "    int total = @{start};\n"
                                                  "    for (const int value : values) {\n"
                                                  "        @{skip}\n"
                                                  "        total += @{term};\n"
                                                  "    }\n"
                                                  "    return total;\n"
                                                  "}\n"
                                                  "} // namespace sums\n"},
                                 {"start/right.cpp", "0"},
                                 {"start/one.cpp", "1"},
                                 {"skip/right.cpp", ""},
                                 {"skip/negative.cpp", "if (value < 0) continue;\n"},
                                 {"skip/stop.cpp", "if (value == 0)\n    return total;\n"},
                                 {"term/right.cpp", "value"},
                                 {"term/square.cpp", "value *\nvalue\n"}});
    REQUIRE(whole.slots[0].name == "skip");
    REQUIRE(whole.slots[1].name == "start");
    // Each choice beside the same program pasted and in a namespace of its own; the vector's header is there already.
    std::string pasted, calls;
    for (int i = 0; i < 12; ++i) {
        const std::string choices = fmt::format("{}, {}, {}", i / 4, i / 2 % 2, i % 2);
        pasted += fmt::format("namespace pasted_{} {{\n{}}}\n", i, paste(whole, {i / 4, i / 2 % 2, i % 2}));
        calls += fmt::format("    show(std::array{{{}}}, pasted_{}::sums::sum(values));\n", choices, i);
    }
    const std::string driver = "#include <array>\n#include <cstdio>\n#include <vector>\n" + pasted +
                               "namespace hunted { void choose_sums(const int*); }\n"
                               "namespace hunted::sums { int sum(const std::vector<int>&); }\n"
                               "const std::vector<int> values{3, -2, 0, 4};\n"
                               "void show(const std::array<int, 3>& choices, int pasted) {\n"
                               "    hunted::choose_sums(choices.data());\n"
                               "    std::printf(\"%d %d  \", hunted::sums::sum(values), pasted);\n"
                               "}\n"
                               "int main() {\n" +
                               calls + "}\n";
    const hunting::Scratch scratch;
    scratch.put("model.cpp", "#include <vector>\nnamespace sums { using real = int; }\n" + switched(whole, "sums"));
    scratch.put("driver.cpp", driver);
    const Outcome<Ended> built =
        scratch.compile({"-Wall", "-Wextra", "-Wshadow", "-Werror", "model.cpp", "driver.cpp", "-o", "program"});
    REQUIRE(built);
    INFO(built->output);
    REQUIRE(built->exit_code == 0);
    const Outcome<Ended> ran = scratch.run({scratch.file("program").string()});
    REQUIRE(ran);
    // skip right: 5, and 29 of squares; negative dropped: 7, 25; stopped at 0: 1, 13; a start of 1 adds one
    CHECK(ran->output == "5 5  29 29  6 6  30 30  7 7  25 25  8 8  26 26  1 1  13 13  2 2  14 14  ");
}
