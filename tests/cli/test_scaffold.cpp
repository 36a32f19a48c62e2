// `exercise new`: what it writes compiles, as an exercise and as attempts. That it also verifies is tried in a checkout
// of its own, by tests/cli/scaffold.sh.
#include "catch.hpp"
#include "cli/assay.hpp"
#include "commands/scaffold.hpp"

#include <set>

using namespace assay::tests;

TEST_CASE("a scaffold leaves no mark unfilled and names no path twice") {
    std::set<std::string> paths;
    for (const assay::ScaffoldFile& file : assay::scaffold("top_k")) {
        CAPTURE(file.path);
        REQUIRE(paths.insert(file.path).second);
        REQUIRE_FALSE(contains(file.text, "@"));
        REQUIRE_FALSE(contains(file.path, "@"));
    }
    for (const char* path :
         {"exercises/top_k/README.md", "exercises/top_k/contract.hpp", "exercises/top_k/starter.cpp",
          "exercises/top_k/hints.md", "exercises/top_k/exercise.toml", "exercises/top_k/levels.cpp",
          "solutions/top_k/oracle.cpp", "solutions/top_k/solution.cpp", "solutions/top_k/walkthrough.md"})
        REQUIRE(paths.count(path) == 1);
}

TEST_CASE("a scaffold compiles with the warnings that the project has as errors") {
    const Place place;
    for (const assay::ScaffoldFile& file : assay::scaffold("top_k")) place.write(file.path, file.text);
    const std::string source = assay::shell_word(ASSAY_SOURCE_DIR);
    const auto compiles = [&](const std::string& file) {
        return std::system(("cd " + assay::shell_word(place.work().string()) +
                            " && c++ -std=c++20 -fsyntax-only -Wall -Wextra "
                            "-Wpedantic -Wconversion -Wshadow -Werror -I " +
                            source + "/harness -I " + source +
                            "/harness/contract -I exercises/top_k -I solutions/top_k " + file)
                               .c_str()) == 0;
    };
    REQUIRE(compiles("exercises/top_k/levels.cpp"));
    REQUIRE(compiles("solutions/top_k/oracle.cpp"));
    REQUIRE(compiles("exercises/top_k/starter.cpp"));
    for (const char* file : {"solution", "accepted/fused", "accepted/in-double", "accepted/by-pointer"})
        REQUIRE(compiles(std::string("solutions/top_k/") + file + ".cpp"));
}
