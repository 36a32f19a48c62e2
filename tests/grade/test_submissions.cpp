// What is found below a folder of submissions, and what is said of what cannot be graded.
#include "catch.hpp"

#include "grade/scratch.hpp"
#include "grade/submissions.hpp"

using namespace assay;
namespace fs = std::filesystem;

namespace {

const std::vector<std::string> known{"sdpa", "memory"};

std::vector<std::string> found_in(const Outcome<Submissions>& submissions) {
    REQUIRE(submissions.ok());
    std::vector<std::string> names;
    for (const Submission& one : submissions->found)
        names.push_back(one.candidate + "/" + one.exercise + (one.problem.empty() ? "" : ": " + one.problem));
    return names;
}

} // namespace

TEST_CASE("each candidate's files that are named after exercises are found, in one order") {
    const Scratch scratch;
    scratch.write("zoe/sdpa.cpp", "x");
    scratch.write("ada/sdpa.cpp", "x");
    scratch.write("ada/memory.py", "x");
    scratch.write("ada/notes.txt", "x");
    scratch.write("ada/helper.cpp", "x");
    scratch.write(".git/sdpa.cpp", "x");
    const auto submissions = find_submissions(scratch.path, known, {});
    CHECK(found_in(submissions) == std::vector<std::string>{"ada/memory", "ada/sdpa", "zoe/sdpa"});
    CHECK(submissions->notes.empty());
}

TEST_CASE("what cannot be graded is told, and the rest goes on") {
    const Scratch scratch;
    scratch.write("ada/sdpa.cpp", "x");
    scratch.write("ada/sdpa.py", "x");
    scratch.write("bob/nothing.txt", "x");
    scratch.write("stray.cpp", "x");
    fs::create_directory_symlink(scratch.path / "ada", scratch.path / "eve");
    const auto submissions = find_submissions(scratch.path, known, {});
    CHECK(found_in(submissions) ==
          std::vector<std::string>{"ada/sdpa: ada handed in both sdpa.cpp and sdpa.py: keep one of them"});
    CHECK(submissions->notes == std::vector<std::string>{"bob holds no file named after an exercise, as in sdpa.cpp",
                                                         "the folder eve is a link: copy the folder itself",
                                                         "stray.cpp is no candidate's folder and was left out"});
}

TEST_CASE("where exercises are asked for by name, a candidate without one has a unit that says so") {
    const Scratch scratch;
    scratch.write("ada/sdpa.cpp", "x");
    scratch.write("bob/other.cpp", "x");
    const auto submissions = find_submissions(scratch.path, {"sdpa"}, {"sdpa"});
    CHECK(found_in(submissions) == std::vector<std::string>{"ada/sdpa", "bob/sdpa: bob handed in no attempt at sdpa"});
}

TEST_CASE("a folder without submissions is wrong usage") {
    const Scratch scratch;
    const auto empty = find_submissions(scratch.path, known, {});
    REQUIRE_FALSE(empty.ok());
    CHECK(empty.failure().verdict == Verdict::SKIP);
    CHECK_THAT(empty.failure().reason, Catch::EndsWith("put each attempt at <candidate>/<exercise>.cpp below it"));
    const auto gone = find_submissions(scratch.path / "gone", known, {});
    REQUIRE_FALSE(gone.ok());
    CHECK_THAT(gone.failure().reason, Catch::Contains("cannot be read"));
}
