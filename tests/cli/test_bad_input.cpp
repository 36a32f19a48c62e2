// Whatever a person or an attempt does wrong ends in one clear sentence and the exit code that says whose fault it was.
#include "catch.hpp"
#include "cli/assay.hpp"

#include <algorithm>

using namespace assay::tests;

namespace {

/// One line on standard error, nothing on standard output.
void require_usage_error(const Ran& ran, const std::string& part) {
    CAPTURE(ran.out, ran.err);
    REQUIRE(ran.exit == 2);
    REQUIRE(ran.out.empty());
    REQUIRE(ran.err.rfind("assay: ", 0) == 0);
    REQUIRE(std::count(ran.err.begin(), ran.err.end(), '\n') == 1);
    REQUIRE(contains(ran.err, part));
}

void require_falls_short(const Ran& ran, const std::string& verdict, const std::string& part) {
    CAPTURE(ran.out, ran.err);
    REQUIRE(ran.exit == 1);
    REQUIRE(contains(ran.out, verdict));
    REQUIRE(contains(ran.out, part));
    REQUIRE_FALSE(contains(ran.out, "terminate called"));
}

} // namespace

TEST_CASE("a missing file") {
    const Place place;
    require_usage_error(place.run("check missing.cpp"), "no such file: missing.cpp");
    require_usage_error(place.run("check sdpa"), "assay start sdpa");
    require_usage_error(place.run("check"), "no attempt lies in this folder");
}

TEST_CASE("an empty file") {
    const Place place;
    place.write("sdpa.cpp", "");
    require_usage_error(place.run("check sdpa.cpp"), "sdpa.cpp");
}

TEST_CASE("a folder and a device instead of a file") {
    const Place place;
    std::filesystem::create_directory(place.work() / "nothing");
    require_usage_error(place.run("check nothing"), "nothing is a folder");
    require_usage_error(place.run("check --exercise sdpa /dev/zero"), "/dev/zero");
}

TEST_CASE("a folder with one attempt stands for it") {
    const Place place;
    place.write("mine/sdpa.cpp", attention("oops"));
    const Ran ran = place.run("check mine");
    CAPTURE(ran.out, ran.err);
    REQUIRE(ran.exit == 1);
    REQUIRE(contains(ran.out, "oops"));
}

TEST_CASE("an exercise that does not exist") {
    const Place place;
    require_usage_error(place.run("check sdpaa"), "no such exercise: sdpaa (did you mean sdpa?)");
    require_usage_error(place.run("show attn"), "no such exercise: attn (assay list shows them)");
    require_usage_error(place.run("start spda"), "did you mean sdpa?");
    place.write("x.cpp", "int main() {}");
    require_usage_error(place.run("check x.cpp"), "cannot tell which exercise x.cpp attempts");
    require_usage_error(place.run("check x.cpp --exercise nope"), "no such exercise: nope");
}

TEST_CASE("wrong usage of the command line") {
    const Place place;
    require_usage_error(place.run("frobnicate"), "no such command: assay frobnicate");
    require_usage_error(place.run("chekc sdpa"), "did you mean check?");
    require_usage_error(place.run("exercise verfy sdpa"), "did you mean verify?");
    require_usage_error(place.run("check --format xml"), "xml");
    require_usage_error(place.run("check --color sometimes"), "sometimes");
    require_usage_error(place.run("check --seed many"), "many");
    require_usage_error(place.run("check a b"), "b");
    require_usage_error(place.run("show"), "exercise");
    require_usage_error(place.run("exercise verify"), "--all");
    require_usage_error(place.run("exercise new Bad-Id"), "Bad-Id");
    require_usage_error(place.run("exercise new class"), "C++");
    require_usage_error(place.run("exercise new sdpa"), "there already");
    REQUIRE(place.run("").exit == 2);
    REQUIRE(place.run("--help").exit == 0);
    REQUIRE(contains(place.run("--version").out, "assay "));
}

TEST_CASE("levels and cases that do not exist are answered with those that do") {
    const Place place;
    place.write("sdpa.cpp", attention(""));
    require_usage_error(place.run("check sdpa --level 77"), "3 masks");
    require_usage_error(place.run("check sdpa --level msks"), "no such level of sdpa: msks");
    require_usage_error(place.run("check sdpa --case nonsense"), "no such case of sdpa: nonsense");
    require_usage_error(place.run("check sdpa --case '@@@'"), "");
    require_usage_error(place.run("check sdpa --case 'x=$(y)'"), "");
}

TEST_CASE("a compiler that does not exist") {
    const Place place;
    place.write("sdpa.cpp", attention(""));
    const Ran ran = place.run("check sdpa --compiler no-such-compiler");
    CAPTURE(ran.out, ran.err);
    REQUIRE(ran.exit == 3);
    REQUIRE(contains(ran.err, "no-such-compiler"));
}

TEST_CASE("an attempt that does not compile") {
    const Place place;
    place.write("sdpa.cpp", attention("    out(0, 0, 0, 0) = undeclared_name;"));
    const Ran ran = place.run("check sdpa");
    require_falls_short(ran, "CE", "undeclared_name");
    REQUIRE(contains(ran.out, "sdpa.cpp:"));
    REQUIRE_FALSE(contains(ran.out, place.work().string())); // paths are relative to the attempt
}

TEST_CASE("a function that is missing, and one with another signature") {
    const Place place;
    place.write("sdpa.cpp", "#include \"contract.hpp\"\nint unrelated = 1;\n");
    require_falls_short(place.run("check sdpa"), "CE", "attention");
    place.write("sdpa.cpp",
                "#include \"contract.hpp\"\nnamespace sdpa {\nvoid attention(tensor<const float, 4>, tensor<const "
                "float, 4>, tensor<const float, 4>, tensor<float, 4>) {}\n}\n");
    require_falls_short(place.run("check sdpa"), "CE", "attention");
}

TEST_CASE("an attempt that never ends") {
    const Place place;
    place.write("sdpa.cpp", attention("    for (volatile int i = 0;; i = i + 1) {}"));
    require_falls_short(place.run("check sdpa --level formula"), "TLE", "CPU time");
}

TEST_CASE("an attempt that crashes is looked at again, for the line") {
    const Place place;
    // What is read is used: a compiler drops stores that nobody can see.
    place.write("sdpa.cpp",
                attention("    const float* volatile nowhere = nullptr;\n    out(0, 0, 0, 0) = nowhere[1];"));
    const Ran ran = place.run("check sdpa --level formula");
    require_falls_short(ran, "RTE", "SIGSEGV");
    place.write("sdpa.cpp",
                attention("    const float* volatile heap = new float[4]{};\n    out(0, 0, 0, 0) = heap[4];\n"
                          "    std::abort();",
                          "#include <cstdlib>\n"));
    const Ran again = place.run("check sdpa --level formula");
    require_falls_short(again, "RTE", "heap-buffer-overflow");
    REQUIRE(contains(again.out, "sdpa.cpp:"));
}

TEST_CASE("an attempt that throws") {
    const Place place;
    place.write("sdpa.cpp",
                attention("    throw std::runtime_error(\"no idea \\x1b[31m\");", "#include <stdexcept>\n"));
    const Ran ran = place.run("check sdpa --level formula");
    require_falls_short(ran, "RTE", "no idea \\x1b[31m"); // its escape sequence does not reach the terminal
    REQUIRE_FALSE(contains(ran.out, "\x1b"));
}

TEST_CASE("an attempt that allocates 10 GB") {
    const Place place;
    place.write("sdpa.cpp",
                attention("    std::vector<char> all(std::size_t{10} << 30, 'x');\n    out(0, 0, 0, 0) = all[5];",
                          "#include <vector>\n"));
    require_falls_short(place.run("check sdpa --level formula"), "MLE", "memory");
}

TEST_CASE("an attempt that floods its output") {
    const Place place;
    place.write("sdpa.cpp",
                attention("    for (int i = 0; i < 10000000; ++i) std::puts(\"flood\");", "#include <cstdio>\n"));
    const Ran ran = place.run("check sdpa --level formula");
    require_falls_short(ran, "OLE", "printed more than");
    REQUIRE(ran.out.size() < 20000);
}

TEST_CASE("an attempt that exits") {
    const Place place;
    place.write("sdpa.cpp", attention("    std::exit(0);", "#include <cstdlib>\n"));
    require_falls_short(place.run("check sdpa --level formula"), "RTE", "exit(0)");
    place.write("sdpa.cpp", attention("", "#include <cstdlib>\nstatic int early = (std::exit(0), 1);\n"));
    require_falls_short(place.run("check sdpa"), "RTE", "exit");
}

TEST_CASE("JSON stands alone on standard output, whatever happens") {
    const Place place;
    place.write("sdpa.cpp", attention("oops"));
    const Ran broken = place.run("check sdpa --format json");
    REQUIRE(broken.exit == 1);
    REQUIRE(broken.out.front() == '{');
    REQUIRE(contains(broken.out, "\"verdict\": \"CE\""));
    const Ran missing = place.run("check missing.cpp --format json");
    REQUIRE(missing.exit == 2);
    REQUIRE(missing.out.empty());
}

TEST_CASE("a reader that goes away is no error") {
    const Place place;
    const Ran ran = place.run("show sdpa | head -n 1");
    REQUIRE(contains(ran.out, "Scaled dot-product attention"));
    REQUIRE(ran.err.empty());
}
