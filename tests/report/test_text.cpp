// Widths, wrapping and foreign text.
#include "catch.hpp"
#include "report/text.hpp"

using namespace assay;

TEST_CASE("width is what is seen") {
    REQUIRE(display_width("abc") == 3);
    REQUIRE(display_width("q·kᵀ") == 4);
    REQUIRE(display_width("\x1b[1;31mred\x1b[0m") == 3);
    REQUIRE(display_width("注意") == 4);
    REQUIRE(display_width("e\u0301") == 1);
    REQUIRE(pad_right("·", 3) == "·  ");
    REQUIRE(pad_left("ab", 1) == "ab");
}

TEST_CASE("lines are broken at spaces and never cut") {
    REQUIRE(wrap("one two three", 7) == std::vector<std::string>{"one two", "three"});
    REQUIRE(wrap("a longword b", 4) == std::vector<std::string>{"a", "longword", "b"});
    REQUIRE(wrap("a\n\nb", 10) == std::vector<std::string>{"a", "", "b"});
    REQUIRE(wrapped("one two three four five six", 30, "- ", "  ") == "- one two three four five six\n");
    REQUIRE(wrapped("one two three four five six", 24, "- ", "  ") == "- one two three four\n  five six\n");
}

TEST_CASE("what an attempt wrote cannot command the terminal") {
    REQUIRE(printable("\x1b[2Jgone") == "\\x1b[2Jgone");
    REQUIRE(printable("\x1b]0;title\a") == "\\x1b]0;title\\x07");
    REQUIRE(printable("a\rb\b") == "a\\x0db\\x08");
    REQUIRE(printable("tab\there") == "tab    here");
    REQUIRE(printable("line\nline") == "line\\x0aline");
    REQUIRE(printable("line\nline", Keep::newlines) == "line\nline");
    REQUIRE(printable("\xff\xc3") == "\\xff\\xc3");
    REQUIRE(printable("\xc0\xaf") == "\\xc0\\xaf"); // overlong
    REQUIRE(printable("\xc2\x9b"
                      "31m") == "\\u009b31m"); // the one-byte form of ESC [
    REQUIRE(printable("abc\u202edef") == "abc\\u202edef");
    REQUIRE(printable("naïve · ∑") == "naïve · ∑");
}

TEST_CASE("of a compiler's sequences only colours stay") {
    const std::string coloured = "\x1b[01;31m\x1b[Kerror:\x1b[m\x1b[K bad";
    REQUIRE(printable(coloured, Keep::newlines_and_colours) == coloured);
    REQUIRE(printable("\x1b[2J", Keep::newlines_and_colours) == "\\x1b[2J");
    REQUIRE(printable("\x1b[5;5H", Keep::newlines_and_colours) == "\\x1b[5;5H");
    REQUIRE(printable("\x1b[", Keep::newlines_and_colours) == "\\x1b[");
    REQUIRE(without_escapes(coloured) == "error: bad");
    REQUIRE(without_escapes("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\") == "link");
}

TEST_CASE("long text is cut with a count") {
    REQUIRE(first_lines("a\nb\nc\n", 3) == "a\nb\nc\n");
    REQUIRE(first_lines("a\nb\nc\n", 2) == "a\nb\n... 1 more line\n");
    REQUIRE(first_lines("a\nb\nc\nd", 2) == "a\nb\n... 2 more lines\n");
}

TEST_CASE("a long line is cut by what is seen of it") {
    REQUIRE(cut("abcdef", 6) == "abcdef");
    REQUIRE(cut("abcdefg", 6) == "abc...");
    REQUIRE(cut("·····", 4) == "·...");
}

TEST_CASE("a shell takes a quoted word as it was") {
    REQUIRE(shell_word("causal-short@Lq:4@q=1@v~int") == "causal-short@Lq:4@q=1@v~int");
    REQUIRE(shell_word("it's") == "'it'\\''s'");
    REQUIRE(shell_word("") == "''");
    REQUIRE(shell_word("~x") == "'~x'");
    REQUIRE(shell_word("a b;rm") == "'a b;rm'");
}

TEST_CASE("the nearest name is offered, and none where none is near") {
    REQUIRE(nearest("sdpaa", {"grpo", "sdpa"}) == "sdpa");
    REQUIRE(nearest("spda", {"grpo", "sdpa"}) == "sdpa");
    REQUIRE(nearest("roofline", {"grpo", "sdpa"}).empty());
}
