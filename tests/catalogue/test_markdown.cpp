// Statements as a terminal shows them.
#include "catalogue/embedded.hpp"
#include "catalogue/markdown.hpp"
#include "catch.hpp"
#include "report/text.hpp"

using namespace assay;

namespace {
std::string shown(const std::string& markdown, int width = 40) {
    return render_markdown(markdown, Style{false, width});
}
} // namespace

TEST_CASE("headings and paragraphs") {
    REQUIRE(shown("# Title\n\nOne line\nand another.\n\n## Part\n\ntext") ==
            "Title\n=====\n\nOne line and another.\n\n\nPart\n\ntext\n");
    REQUIRE(shown("one two three four five six seven eight nine") == "one two three four five six seven eight\nnine\n");
}

TEST_CASE("marks within a line") {
    REQUIRE(shown("a *b* **c d** `e * f` g_h_i _j_ [text](README.md) [t](https://x.y)") ==
            "a b c d `e * f` g_h_i j text t\n<https://x.y>\n");
    REQUIRE(shown("2 * 3 * 4 and a \\* b") == "2 * 3 * 4 and a * b\n");
    const std::string coloured = render_markdown("a `code here` **strong**", Style{true, 40});
    REQUIRE(without_escapes(coloured) == "a code here strong\n");
    REQUIRE(coloured.find("\x1b[1m") != std::string::npos);
}

TEST_CASE("lists keep their shape") {
    REQUIRE(shown("- one\n  goes on\n- two\n  - inner\n\n1. first\n2. second\n") ==
            "  • one goes on\n  • two\n    • inner\n  1. first\n  2. second\n");
    REQUIRE(shown("- a b c d e f g h i j k l m n o p q r s t u v") ==
            "  • a b c d e f g h i j k l m n o p q r\n    s t u v\n");
}

TEST_CASE("code is left as it is") {
    REQUIRE(shown("```cpp\nint  x;\n\n  y | z\n```\nafter") == "    int  x;\n    \n      y | z\n\nafter\n");
    REQUIRE(shown("text\n\n    out[i] = Σ p\n\nmore") == "text\n\n    out[i] = Σ p\n\nmore\n");
}

TEST_CASE("tables are aligned, by width as it is seen") {
    REQUIRE(shown("| a | long name |\n|---|--:|\n| Σ·k | 1 |\n| `x\\|y` | 22 |\n") ==
            "  a      long name\n  ----------------\n  Σ·k            1\n  `x|y`         22\n");
}

TEST_CASE("the last column of a wide table is wrapped") {
    const std::string text = shown("| a | b |\n|---|---|\n| x | one two three four five six seven eight |\n");
    for (const std::string& line : lines_of(text)) REQUIRE(display_width(line) <= 40);
    REQUIRE(text.find("\n     ") != std::string::npos);
}

TEST_CASE("comments are left out, damaged markdown does no harm") {
    REQUIRE(shown("a\n\n<!-- hidden\nhidden -->\n\nb") == "a\n\nb\n");
    for (const char* text : {"```", "`", "**", "[", "[]( ", "|", "| |\n|-", "#", "<!--", "> ", "- ", "*a", "\\"})
        REQUIRE_FALSE(shown(text).empty());
}

TEST_CASE("the statement of sdpa fits the terminal") {
    const auto text = embedded("exercises/sdpa/README.md");
    REQUIRE(text.has_value());
    for (const std::string& line : lines_of(render_markdown(*text, Style{false, 80})))
        if (line.substr(0, 4) != "    ") REQUIRE(display_width(line) <= 80);
}
