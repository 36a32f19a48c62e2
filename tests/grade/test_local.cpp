// The local engine with a stand-in for the judge: what crashes, hangs or lies costs itself alone, and a stop is clean.
#include "catch.hpp"

#include "catalogue/files.hpp"
#include "grade/local.hpp"
#include "grade/scratch.hpp"
#include "report/json.hpp"

#include <algorithm>
#include <csignal>
#include <map>
#include <thread>
#include <unistd.h>

using namespace assay;

namespace {

Record record_for(const Unit& unit, Verdict verdict, const std::string& reason) {
    Record record;
    record.exercise = unit.exercise;
    record.title = "Attention";
    record.exercise_version = 1;
    record.exercise_hash = "e";
    record.source = "sdpa.cpp";
    record.source_hash = unit.problem.empty() ? "s" : "";
    record.verdict = verdict;
    record.reason = reason;
    record.environment = {"0.1", "g++ 12", "-O2", "mold", "cpu", "limits", {}, {}, "Linux"};
    return record;
}

/// A unit whose stand-in behaves as its candidate is called.
Unit unit_of(const Scratch& scratch, const std::string& behaviour, int number) {
    Unit unit{behaviour + std::to_string(number), "sdpa", scratch.path / behaviour, "", {}};
    unit.identity = Identity::of(record_for(unit, Verdict::AC, ""));
    return unit;
}

struct Bench {
    Scratch scratch;
    Plan plan;
    LocalOptions options;
    GradeProgress last;

    explicit Bench(const std::vector<std::string>& behaviours) {
        for (const std::string& behaviour : behaviours)
            plan.units.push_back(unit_of(scratch, behaviour, static_cast<int>(plan.units.size())));
        scratch.write("right.json", to_json(record_for(plan.units.front(), Verdict::AC, "")));
        // $1 record, $2 exercise, $3 source (whose name says how to behave), $4 seed
        scratch.write("judge.sh", "set -e\nhere=" + scratch.path.native() +
                                      "\nmkdir -p \"$(dirname \"$1\")\"\necho \"$1\" >> $here/calls\n"
                                      "case \"$(basename \"$3\")\" in\n"
                                      "right) cp $here/right.json \"$1.tmp\"; mv \"$1.tmp\" \"$1\";;\n"
                                      "crash) kill -SEGV $$;;\n"
                                      "fails) echo 'assay: something is missing' >&2; exit 3;;\n"
                                      "hangs) sleep 100;;\n"
                                      "half) echo '{\"schema\": 1' > \"$1\";;\n"
                                      "once) if [ -e $here/tried ]; then cp $here/right.json \"$1\"; else touch "
                                      "$here/tried; kill -KILL $$; fi;;\n"
                                      "slow) sleep 0.2; cp $here/right.json \"$1.tmp\"; mv \"$1.tmp\" \"$1\";;\n"
                                      "esac\n");
        options.out = scratch.path / "out";
        std::filesystem::create_directories(options.out);
        options.program = {"/bin/sh", (scratch.path / "judge.sh").native()};
        options.jobs = 3;
        options.wall_limit = std::chrono::seconds(2);
        options.blank = record_for;
        options.progress = [this](const GradeProgress& now) { last = now; };
    }

    std::map<std::string, std::string> verdicts() const {
        std::map<std::string, std::string> all;
        for (const Unit& unit : plan.units) {
            const Outcome<Record> record = result_of(options.out, unit);
            all[unit.candidate] = record ? std::string(code(record->verdict)) + " " + record->reason : "none";
        }
        return all;
    }

    int calls() const {
        bool ok = false;
        const std::string text = read_text(scratch.path / "calls", ok);
        return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
    }
};

} // namespace

TEST_CASE("each unit gets a record, whatever the process that judges it does") {
    Bench bench({"right", "crash", "fails", "half", "once", "hangs", "right"});
    const Outcome<GradeResult> result = grade_locally(bench.plan, bench.options);
    REQUIRE(result.ok());
    CHECK_FALSE(result->stopped);
    CHECK(result->failures.empty());
    CHECK(result->graded == 7);
    CHECK(bench.last.done == 7);
    const std::map<std::string, std::string> got = bench.verdicts();
    CHECK(got.at("right0") == "AC ");
    CHECK(got.at("right6") == "AC ");
    CHECK(got.at("once4") == "AC ");
    CHECK_THAT(got.at("crash1"), Catch::StartsWith("JE the judge was killed by signal 11"));
    CHECK(got.at("fails2") == "JE the judge ended with exit code 3: assay: something is missing");
    CHECK(got.at("half3") == "JE the judge ended with exit code 0");
    CHECK(got.at("hangs5") == "JE the judge did not end within 2 s");
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
