// The hostile programs as a collection: enough of each kind, each described, and the table of README.md as they say.
#include "catch.hpp"

#include "catalogue/files.hpp"
#include "hostile/program.hpp"
#include "hostile/table.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace {

using namespace assay;
using namespace assay::hostile;
namespace fs = std::filesystem;

const fs::path folder = fs::path(ASSAY_SOURCE_DIR) / "tests/hostile";

} // namespace

TEST_CASE("there are hostile programs of every kind, each with what it must get", "[hostile]") {
    const std::vector<Program> programs = programs_in(folder / "attempts");
    CHECK(programs.size() >= 150);
    std::map<std::string, int> kinds;
    for (const Program& program : programs) {
        INFO(program.name);
        ++kinds[program.kind];
        CHECK(program.attack.back() == '.');
        for (const std::string& level : levels) {
            const std::vector<std::string>& expected = program.expected.at(level);
            CHECK(std::set<std::string>(expected.begin(), expected.end()).size() == expected.size());
            // The judge is never at fault, whatever an attempt does.
            CHECK(std::find(expected.begin(), expected.end(), "JE") == expected.end());
        }
        if (!program.then.empty()) CHECK(fs::exists(folder / "attempts" / "then" / (program.then + ".cpp")));
    }
    for (const char* kind : {"compile", "load", "run", "answer"}) CHECK(kinds[kind] >= 15);
    CHECK(kinds["time"] >= 5);
}

TEST_CASE("the table of hostile attempts is what their headers say", "[hostile]") {
    bool ok = false;
    const std::string text = read_text(folder / "README.md", ok);
    REQUIRE(ok);
    INFO("write it anew: build/release/bin/assay-hostile write");
    CHECK(text == with_table(text, programs_in(folder / "attempts")));
}
