// A candidate's way: list, start, check, hint, solution; and what is remembered of it.
#include "catch.hpp"
#include "cli/assay.hpp"

using namespace assay::tests;

TEST_CASE("a workspace is laid, and an edited file is never overwritten") {
    const Place place;
    const Ran first = place.run("start sdpa");
    CAPTURE(first.out, first.err);
    REQUIRE(first.exit == 0);
    for (const char* file :
         {"README.md", "contract.hpp", "sdpa.cpp", "compile_flags.txt", ".clangd", ".assay/include/assay/tensor.hpp"})
        REQUIRE_FALSE(place.read(std::string("sdpa/") + file).empty());
    REQUIRE(place.read("sdpa/sdpa.cpp") == checkout_file("exercises/sdpa/starter.cpp"));

    place.write("sdpa/sdpa.cpp", "// mine\n");
    const Ran again = place.run("start sdpa");
    REQUIRE(again.exit == 0);
    REQUIRE(contains(again.out, "Kept as you edited it: sdpa.cpp"));
    REQUIRE(place.read("sdpa/sdpa.cpp") == "// mine\n");

    std::filesystem::remove(place.work() / "sdpa" / "contract.hpp");
    REQUIRE(contains(place.run("start sdpa").out, "1 file laid"));
    REQUIRE(contains(place.run("list").out, "started"));
}

TEST_CASE("a file that an older version laid, and nobody edited, is renewed") {
    const Place place;
    REQUIRE(place.run("start sdpa").exit == 0);
    // As an older version would have left it: other text, and its fingerprint (FNV-1a of "old\n") in the manifest.
    place.write("sdpa/contract.hpp", "old\n");
    std::string manifest = place.read("sdpa/.assay/laid.txt");
    const std::size_t at = manifest.find(" contract.hpp");
    REQUIRE(at != std::string::npos);
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const char c : std::string("old\n")) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    char hex[17];
    std::snprintf(hex, sizeof hex, "%016lx", static_cast<unsigned long>(hash));
    manifest.replace(at - 16, 16, hex);
    place.write("sdpa/.assay/laid.txt", manifest);
    REQUIRE(place.run("start sdpa").exit == 0);
    REQUIRE(place.read("sdpa/contract.hpp") == checkout_file("exercises/sdpa/contract.hpp"));
}

TEST_CASE("the workspace's flags are those an editor needs") {
    const Place place;
    REQUIRE(place.run("start sdpa").exit == 0);
    const std::string command = "cd " + assay::shell_word((place.work() / "sdpa").string()) +
                                " && c++ $(grep -v '^-xc++$' compile_flags.txt) -w -fsyntax-only sdpa.cpp";
    REQUIRE(std::system(command.c_str()) == 0);
}

TEST_CASE("the starter fails level 1, hints follow the failing level, the solution opens by passing") {
    const Place place;
    REQUIRE(place.run("start sdpa").exit == 0);
    const Ran starter = place.run("check sdpa");
    CAPTURE(starter.out, starter.err);
    REQUIRE(starter.exit == 1);
    REQUIRE(contains(starter.out, "Level 1"));
    REQUIRE(contains(starter.out, "Replay: assay check sdpa --case "));

    const Ran first = place.run("hint"), second = place.run("hint");
    REQUIRE(first.exit == 0);
    REQUIRE(contains(first.out, "hint 1 of"));
    REQUIRE(contains(second.out, "hint 2 of"));
    REQUIRE(first.out != second.out);
    REQUIRE(contains(place.run("hint sdpa --level 3").out, "Masks"));

    const Ran closed = place.run("solution sdpa");
    REQUIRE(closed.exit == 1);
    REQUIRE(contains(closed.err, "--reveal"));

    place.write("sdpa/sdpa.cpp", checkout_file("solutions/sdpa/solution.cpp"));
    const Ran passed = place.run("check");
    CAPTURE(passed.out, passed.err);
    REQUIRE(passed.exit == 2); // not in this folder
    const Ran by_name = place.run("check sdpa");
    CAPTURE(by_name.out, by_name.err);
    REQUIRE(by_name.exit == 0);
    REQUIRE(contains(by_name.out, "Accepted"));
    REQUIRE(contains(place.run("list").out, "passed"));
    const Ran open = place.run("solution sdpa");
    REQUIRE(open.exit == 0);
    REQUIRE(contains(open.out, "void attention("));
    REQUIRE(contains(place.run("check sdpa --format json").out, "\"solution_revealed\": false"));
}

TEST_CASE("a revealed solution stays in the records") {
    const Place place;
    REQUIRE(place.run("solution sdpa --reveal").exit == 0);
    place.write("sdpa.cpp", checkout_file("solutions/sdpa/solution.cpp"));
    REQUIRE(contains(place.run("check sdpa --level 1 --format json").out, "\"solution_revealed\": true"));
}

TEST_CASE("the replay line asks the failing case again") {
    const Place place;
    place.write("sdpa.cpp", checkout_file("exercises/sdpa/starter.cpp"));
    const Ran failed = place.run("check sdpa");
    const std::size_t at = failed.out.find("Replay: assay ");
    REQUIRE(at != std::string::npos);
    const std::string line = failed.out.substr(at + 14, failed.out.find('\n', at) - at - 14);
    const Ran replayed = place.run(line);
    CAPTURE(line, replayed.out, replayed.err);
    REQUIRE(replayed.exit == 1);
    REQUIRE(contains(replayed.out, "WA"));
}

TEST_CASE("the same sources give the same bytes, timings apart") {
    const Place place;
    place.write("sdpa.cpp", checkout_file("exercises/sdpa/starter.cpp"));
    const auto record = [&] {
        const std::string out = place.run("check sdpa --format json").out;
        return out.substr(0, out.find("\"timings\""));
    };
    const std::string once = record();
    REQUIRE(once.size() > 1000);
    REQUIRE(record() == once);
}

TEST_CASE("a damaged progress file is set aside with a note") {
    const Place place;
    REQUIRE(assay::write_text(place.state(), "{ not json").empty());
    const Ran ran = place.run("list");
    REQUIRE(ran.exit == 0);
    REQUIRE(contains(ran.err, "damaged"));
    REQUIRE(Place::read_whole(place.state().string() + ".damaged") == "{ not json");
    REQUIRE(place.run("list").err.empty());
}

TEST_CASE("colours come where they are asked for, and only there") {
    Place place;
    REQUIRE_FALSE(contains(place.run("list").out, "\x1b["));
    REQUIRE(contains(place.run("list --color always").out, "\x1b["));
    place.extra = "NO_COLOR=1";
    REQUIRE_FALSE(contains(place.run("list").out, "\x1b["));
}

TEST_CASE("the demonstration gets what it should") {
    const Place place;
    const Ran ran = place.run("demo");
    CAPTURE(ran.out, ran.err);
    REQUIRE(ran.exit == 0);
    REQUIRE(contains(ran.out, "Your output matches 0/0 = NaN in rows that may attend nothing"));
    REQUIRE(contains(ran.out, "8 submissions graded, 3 AC, 3 WA, "));
    const std::string place_of_reports = "Reports in ";
    const std::size_t at = ran.out.find(place_of_reports);
    REQUIRE(at != std::string::npos);
    const std::size_t start = at + place_of_reports.size();
    const std::filesystem::path results = ran.out.substr(start, ran.out.find(": ", start) - start);
    REQUIRE(std::filesystem::exists(results / "junit.xml"));
    std::filesystem::remove_all(results.parent_path());
}

TEST_CASE("the doctor names what it looked at") {
    const Place place;
    const Ran ran = place.run("doctor");
    CAPTURE(ran.out, ran.err);
    REQUIRE(ran.exit == 0); // this very program was built here
    for (const char* subject : {"compiler", "landlock", "seccomp", "bubblewrap", "cgroup", "level", "cache"})
        REQUIRE(contains(ran.out, subject));
}
