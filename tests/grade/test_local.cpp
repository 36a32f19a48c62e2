// The local engine with a stand-in for the judge: what crashes, hangs or lies costs itself alone, and a stop is clean.
#include "catch.hpp"

#include "catalogue/files.hpp"
#include "grade/local.hpp"
#include "grade/stand_in.hpp"

#include <algorithm>
#include <csignal>
#include <map>
#include <thread>
#include <unistd.h>

using namespace assay;

namespace {

struct Bench {
    Scratch scratch;
    Plan plan;
    LocalOptions options;
    GradeProgress last;

    explicit Bench(const std::vector<std::string>& behaviours) {
        plan = plan_with(scratch, behaviours);
        options.out = scratch.path / "out";
        std::filesystem::create_directories(options.out);
        options.program = stand_in_judge(scratch);
        options.jobs = 3;
        options.wall_limit = std::chrono::seconds(2);
        options.blank = record_for;
        options.progress = [this](const GradeProgress& now) { last = now; };
    }

    std::map<std::string, std::string> verdicts() const { return verdicts_in(options.out, plan); }

    int calls() const {
        bool ok = false;
        const std::string text = read_text(scratch.path / "calls", ok);
        return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
    }
};

} // namespace

TEST_CASE("each unit gets a record, whatever the process that judges it does") {
    Bench bench({"right", "crash", "fails", "half", "once", "hangs", "right", "elsewhere"});
    const Outcome<GradeResult> result = grade_locally(bench.plan, bench.options);
    REQUIRE(result.ok());
    CHECK_FALSE(result->stopped);
    CHECK(result->failures.empty());
    CHECK(result->graded == 8);
    CHECK(bench.last.done == 8);
    const std::map<std::string, std::string> got = bench.verdicts();
    CHECK(got.at("right0") == "AC ");
    CHECK(got.at("right6") == "AC ");
    CHECK(got.at("once4") == "AC ");
    CHECK_THAT(got.at("crash1"), Catch::StartsWith("JE the judge was killed by signal 11"));
    CHECK(got.at("fails2") == "JE the judge ended with exit code 3: assay: something is missing");
    CHECK(got.at("half3") == "JE the judge ended with exit code 0");
    CHECK(got.at("hangs5") == "JE the judge did not end within 2 s");
    CHECK_THAT(got.at("elsewhere7"),
               Catch::StartsWith("JE the isolation is bounded where it was checked and limits where it was planned: "));
}

TEST_CASE("grading again runs what is missing, what changed and what was our own fault, and nothing else") {
    Bench bench({"right", "right", "crash"});
    REQUIRE(grade_locally(bench.plan, bench.options).ok());
    const int before = bench.calls();
    CHECK(before == 4); // the crash twice
    std::filesystem::remove(bench.options.out / bench.plan.units[1].record_path());
    const Outcome<GradeResult> again = grade_locally(bench.plan, bench.options);
    REQUIRE(again.ok());
    CHECK(again->kept == 1);
    CHECK(again->graded == 2);
    CHECK(bench.calls() == before + 3);
    bench.plan.units[0].identity.seed = 7;
    CHECK(grade_locally(bench.plan, bench.options)->kept == 1); // the second; the stand-in still answers for seed 0
}

TEST_CASE("a unit with a problem is recorded without a process") {
    Bench bench({"right"});
    Unit missing = unit_of(bench.scratch, "gone", 1);
    missing.problem = "gone handed in no attempt";
    missing.identity.source_hash = missing.problem;
    bench.plan.units.push_back(missing);
    REQUIRE(grade_locally(bench.plan, bench.options).ok());
    CHECK(bench.verdicts().at("gone1") == "SKIP gone handed in no attempt");
    CHECK(bench.calls() == 1);
}

TEST_CASE("a stop ends at once, leaves whole records and nothing running") {
    Bench bench(std::vector<std::string>(40, "slow"));
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    bench.options.stop = ends[0];
    std::thread stopper([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(500));
        REQUIRE(::write(ends[1], "x", 1) == 1);
    });
    const Outcome<GradeResult> result = grade_locally(bench.plan, bench.options);
    stopper.join();
    REQUIRE(result.ok());
    CHECK(result->stopped);
    CHECK(result->graded < 40);
    for (const auto& [candidate, verdict] : bench.verdicts()) CHECK((verdict == "AC " || verdict == "none"));
    bench.options.stop = -1;
    const Outcome<GradeResult> rest = grade_locally(bench.plan, bench.options);
    REQUIRE(rest.ok());
    CHECK(rest->kept >= result->graded);
    for (const auto& [candidate, verdict] : bench.verdicts()) CHECK(verdict == "AC ");
    ::close(ends[0]);
    ::close(ends[1]);
}
