// The engine for Slurm with a Slurm that loses, holds, repeats and falls silent: in the end a record each, the right
// one.
#include "catch.hpp"

#include "cli/assay.hpp"
#include "grade/fake_slurm.hpp"
#include "grade/lock.hpp"
#include "grade/shards.hpp"
#include "grade/slurm_client.hpp"

#include <thread>
#include <unistd.h>

using namespace assay;

namespace {

struct Site {
    Scratch scratch;
    FakeSlurm slurm{scratch};
    Plan plan;
    SlurmOptions options;
    std::vector<std::string> notes;
    GradeProgress last;

    explicit Site(const std::vector<std::string>& behaviours) : plan(plan_with(scratch, behaviours)) {
        options.out = scratch.path / "out";
        std::filesystem::create_directories(options.out);
        options.program = slurm.task_program();
        options.shard_size = 3;
        options.poll = std::chrono::milliseconds(5);
        options.settle = std::chrono::milliseconds(30);
        options.blank = record_for;
        options.note = [this](const std::string& sentence) { notes.push_back(sentence); };
        options.progress = [this](const GradeProgress& now) { last = now; };
    }

    std::map<std::string, std::string> verdicts() const { return verdicts_in(options.out, plan); }

    int accepted() const {
        int count = 0;
        for (const auto& [candidate, verdict] : verdicts()) count += verdict == "AC ";
        return count;
    }
};

std::vector<std::string> rights(std::size_t count) { return std::vector<std::string>(count, "right"); }

} // namespace

TEST_CASE("what lacks a result goes out as one array of shards") {
    Site site(rights(7));
    site.options.partition = "short";
    site.options.account = "class";
    site.options.time = "10";
    site.options.cpus = 4;
    site.options.more = {"--mem=4G"};
    const Outcome<GradeResult> result = grade_by_slurm(site.plan, site.options);
    REQUIRE(result.ok());
    CHECK(result->graded == 7);
    CHECK(result->kept == 0);
    CHECK(result->failures.empty());
    CHECK(site.accepted() == 7);
    CHECK(site.last.done == 7);
    REQUIRE(site.slurm.lines("submitted") == 1);
    const std::string submitted = site.slurm.said("submitted");
    CHECK_THAT(submitted, Catch::Contains("--parsable --array=0-2 --job-name=" + slurm_job_name(site.options.out)));
    CHECK_THAT(submitted, Catch::Contains("--cpus-per-task=4"));
    CHECK_THAT(submitted, Catch::Contains(" --partition=short --account=class --time=10 --mem=4G "));
    CHECK_THAT(submitted, !Catch::Contains("gres"));
    CHECK(site.slurm.lines("cancelled") == 0);
    CHECK(site.notes.empty());

    const Outcome<GradeResult> again = grade_by_slurm(site.plan, site.options);
    REQUIRE(again.ok());
    CHECK(again->kept == 7);
    CHECK(site.slurm.lines("submitted") == 1);
}

TEST_CASE("work for a GPU is an array of its own that asks for one") {
    Site site(rights(5));
    for (const std::size_t i : {1u, 2u, 3u, 4u}) site.plan.units[i].source = "/s/sdpa.cu";
    REQUIRE(grade_by_slurm(site.plan, site.options).ok());
    CHECK(site.accepted() == 5);
    REQUIRE(site.slurm.lines("submitted") == 2);
    const std::string submitted = site.slurm.said("submitted");
    const std::string first = submitted.substr(0, submitted.find('\n')), second = submitted.substr(first.size());
    CHECK_THAT(first, Catch::Contains("--array=0-0") && !Catch::Contains("gres"));
    CHECK_THAT(second, Catch::Contains("--array=0-1") && Catch::Contains("--gres=gpu:1") && Catch::EndsWith(" 1\n"));
}

TEST_CASE("more shards than an array takes are several arrays") {
    Site site(rights(7));
    site.options.array_size = 2;
    REQUIRE(grade_by_slurm(site.plan, site.options).ok());
    CHECK(site.accepted() == 7);
    REQUIRE(site.slurm.lines("submitted") == 2);
    CHECK_THAT(site.slurm.said("submitted"), Catch::Contains("--array=0-1 ") && Catch::Contains("--array=0-0 "));
    CHECK_THAT(site.slurm.said("submitted"), Catch::EndsWith(" 2\n"));
}

TEST_CASE("a lost task is submitted again, with what it held and no more") {
    Site site(rights(7));
    site.scratch.write("fate-1-1", "lost");
    const Outcome<GradeResult> result = grade_by_slurm(site.plan, site.options);
    REQUIRE(result.ok());
    CHECK(result->graded == 7);
    CHECK(site.accepted() == 7);
    CHECK(site.slurm.lines("submitted") == 2);
    CHECK(site.slurm.lines("ran") == 7);
    REQUIRE(site.notes.size() == 1);
    CHECK(site.notes[0] ==
          "3 submissions without a result (its task was lost on n2: the node failed): submitted again, "
          "round 2 of 3");
}

TEST_CASE("held tasks are cancelled and submitted again, up to the limit; then the record says so") {
    Site site(rights(4));
    site.scratch.write("fate", "held");
    site.options.rounds = 2;
    const Outcome<GradeResult> result = grade_by_slurm(site.plan, site.options);
    REQUIRE(result.ok());
    CHECK(result->graded == 4);
    CHECK(site.slurm.lines("submitted") == 2);
    CHECK(site.slurm.said("cancelled") == "1_0 1_1\n2_0 2_1\n");
    for (const auto& [candidate, verdict] : site.verdicts())
        CHECK(verdict == "JE its task was held (JobHeldUser) (submitted 2 times)");
}

TEST_CASE("a task that dies costs its units a round, and its last words are their reason") {
    Site site(rights(3));
    site.scratch.write("fate-1", "dies");
    site.scratch.write("fate-2", "dies");
    REQUIRE(grade_by_slurm(site.plan, site.options).ok());
    CHECK(site.accepted() == 3);
    REQUIRE(site.notes.size() == 2);
    CHECK_THAT(site.notes[0],
               Catch::Contains("its task ended on n1 as FAILED without its result: no room on the disk"));
}

TEST_CASE("what a task tells of a unit decides: tried again, or said to have changed") {
    Site site({"right", "crash", "changed", "right"});
    const Outcome<GradeResult> result = grade_by_slurm(site.plan, site.options);
    REQUIRE(result.ok());
    CHECK(site.slurm.lines("submitted") == 3);
    CHECK(site.slurm.lines("ran") == 2);
    CHECK(site.verdicts().at("crash1") == "JE the judge was killed (submitted 3 times)");
    CHECK(site.verdicts().at("changed2") == "none");
    CHECK(result->failures ==
          std::vector<std::string>{"changed2/sdpa was changed while it was graded: grade again with --resume"});
    CHECK(result->graded == 4);
}

TEST_CASE("tasks that are delivered twice do no harm") {
    Site site(rights(7));
    site.scratch.write("fate", "twice");
    const Outcome<GradeResult> result = grade_by_slurm(site.plan, site.options);
    REQUIRE(result.ok());
    CHECK(result->graded == 7);
    CHECK(site.accepted() == 7);
    CHECK(site.slurm.lines("submitted") == 1);
}

TEST_CASE("a controller that falls silent is waited for") {
    Site site(rights(7));
    site.scratch.write("fate-1-0", "lost");
    site.options.note = [&](const std::string& sentence) {
        if (site.notes.empty()) site.scratch.write("mute", "2"); // the second round's sbatch fails too
        site.notes.push_back(sentence);
    };
    // The first question, before anything is submitted, is answered; the next three are not.
    site.scratch.write("down", "0");
    std::thread silence([&] {
        while (site.slurm.lines("submitted") == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        site.scratch.write("down", "3");
    });
    const Outcome<GradeResult> result = grade_by_slurm(site.plan, site.options);
    silence.join();
    REQUIRE(result.ok());
    CHECK(site.accepted() == 7);
    const auto told = [&](const char* words) {
        return std::any_of(site.notes.begin(), site.notes.end(),
                           [&](const std::string& note) { return note.find(words) != std::string::npos; });
    };
    CHECK(told("Slurm does not answer (slurm_load_jobs error: Unable to contact slurm controller (connect failure))"));
    CHECK(told("Slurm answers again"));
}

TEST_CASE("an sbatch that took the tasks and says that it did not makes them run twice, and is cleared up") {
    Site site(rights(4));
    site.scratch.write("fate-1", "lost");
    site.scratch.write("taken", "");
    site.scratch.write("fate-2", "stuck"); // of this one nobody here knows the number
    site.options.note = [&](const std::string& sentence) {
        if (site.notes.empty()) site.scratch.write("mute", "1");
        site.notes.push_back(sentence);
    };
    REQUIRE(grade_by_slurm(site.plan, site.options).ok());
    CHECK(site.accepted() == 4);
    CHECK(site.slurm.lines("submitted") == 3);
    CHECK_THAT(site.slurm.said("cancelled"), Catch::Contains("--name=" + slurm_job_name(site.options.out)));
    CHECK_THAT(site.slurm.said("queue"), !Catch::Contains("RUNNING"));
}

TEST_CASE("a controller that stays silent is given up, and the tasks are left to go on") {
    Site site(rights(3));
    site.scratch.write("fate", "stuck");
    site.options.patience = std::chrono::milliseconds(50);
    std::thread silence([&] {
        while (site.slurm.lines("submitted") == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        site.scratch.write("down", "100000");
    });
    const Outcome<GradeResult> result = grade_by_slurm(site.plan, site.options);
    silence.join();
    REQUIRE_FALSE(result.ok());
    CHECK_THAT(result.failure().reason, Catch::StartsWith("Slurm has not answered for ") &&
                                            Catch::EndsWith("grade again with --resume once it is up"));
    CHECK(site.slurm.lines("cancelled") == 0);
}

TEST_CASE("refusals are one sentence each, and leave nothing behind") {
    Site site(rights(2));
    site.scratch.write("refuse", "sbatch: error: first\nsbatch: error: Invalid partition name specified\n");
    const Outcome<GradeResult> refused = grade_by_slurm(site.plan, site.options);
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.failure().reason == "sbatch refused the tasks (sbatch: error: Invalid partition name specified): see "
                                      "--partition, --account, --time and --sbatch-option");
    std::filesystem::remove(site.scratch.path / "refuse");

    site.scratch.write("down", "1");
    const Outcome<GradeResult> silent = grade_by_slurm(site.plan, site.options);
    REQUIRE_FALSE(silent.ok());
    CHECK_THAT(silent.failure().reason, Catch::StartsWith("squeue does not answer (slurm_load_jobs error"));

    {
        const Outcome<GradingLock> other = GradingLock::take(site.options.out);
        REQUIRE(other.ok());
        const Outcome<GradeResult> second = grade_by_slurm(site.plan, site.options);
        REQUIRE_FALSE(second.ok());
        CHECK_THAT(second.failure().reason, Catch::StartsWith("another grading is at work"));
    }

    std::filesystem::remove(site.scratch.path / "bin/squeue");
    ::setenv("PATH", (site.scratch.path / "bin").c_str(), 1);
    const Outcome<GradeResult> absent = grade_by_slurm(site.plan, site.options);
    REQUIRE_FALSE(absent.ok());
    CHECK(absent.failure().reason ==
          "there is no squeue on PATH: grade where Slurm's programs are, or without --engine slurm");
    CHECK(site.accepted() == 0);
}

TEST_CASE("a folder that the nodes do not share is noticed after one round") {
    Site site(rights(4));
    site.scratch.write("fate", "silent");
    const Outcome<GradeResult> result = grade_by_slurm(site.plan, site.options);
    REQUIRE_FALSE(result.ok());
    CHECK(result.failure().reason == "no result arrived although the tasks ended: is " + site.options.out.native() +
                                         " on a file system that the nodes share?");
    CHECK(site.slurm.lines("submitted") == 1);
}

TEST_CASE("tasks that an earlier grader left in the queue are cancelled first") {
    Site site(rights(3));
    site.scratch.write("queue", "77_0|RUNNING|None|n1\n");
    REQUIRE(grade_by_slurm(site.plan, site.options).ok());
    CHECK(site.accepted() == 3);
    CHECK(site.slurm.lines("cancelled") == 1);
    REQUIRE(site.notes.size() == 1);
    CHECK_THAT(site.notes[0], Catch::Contains("are cancelled"));
}

TEST_CASE("a stop cancels the tasks; the next grading does what is left") {
    Site site(rights(6));
    site.scratch.write("fate-1-1", "stuck");
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    site.options.stop = ends[0];
    site.options.progress = [&, told = false](const GradeProgress& now) mutable {
        if (now.done < 3 || told) return;
        told = true;
        REQUIRE(::write(ends[1], "x", 1) == 1);
    };
    const Outcome<GradeResult> stopped = grade_by_slurm(site.plan, site.options);
    REQUIRE(stopped.ok());
    CHECK(stopped->stopped);
    CHECK(stopped->graded == 3);
    CHECK_THAT(site.slurm.said("cancelled"), Catch::Contains("--name="));
    ::close(ends[0]);
    ::close(ends[1]);
    site.options.stop = -1;
    site.options.progress = nullptr;
    const Outcome<GradeResult> rest = grade_by_slurm(site.plan, site.options);
    REQUIRE(rest.ok());
    CHECK(rest->kept == 3);
    CHECK(rest->graded == 3);
    CHECK(site.accepted() == 6);
}

TEST_CASE("a unit with a problem and a fault of ours need no more than they must") {
    Site site({"right", "gone"});
    site.plan.units[1].problem = "gone handed in no attempt";
    site.plan.units[1].identity.source_hash = site.plan.units[1].problem;
    const Unit& unit = site.plan.units[0];
    REQUIRE(write_text(site.options.out / unit.record_path(), to_json(record_for(unit, Verdict::JE, "ours"))).empty());
    REQUIRE(grade_by_slurm(site.plan, site.options).ok());
    CHECK(site.verdicts().at("right0") == "AC ");
    CHECK(site.verdicts().at("gone1") == "SKIP gone handed in no attempt");
    CHECK_THAT(site.slurm.said("submitted"), Catch::Contains("--array=0-0"));
}

TEST_CASE(
    "assay grade without a Slurm, or with its options and another engine, is refused before anything is written") {
    const tests::Place place;
    place.write("subs/ada/attention_scaling.cpp", "int x = ;");
    tests::Place nowhere;
    nowhere.extra = "PATH=/nonexistent";
    nowhere.write("subs/ada/attention_scaling.cpp", "int x = ;");
    const tests::Ran absent = nowhere.run("grade subs --engine slurm");
    CHECK(absent.exit == 3);
    CHECK(absent.err ==
          "assay: there is no sbatch on PATH: grade where Slurm's programs are, or without --engine slurm\n");
    CHECK_FALSE(std::filesystem::exists(nowhere.work() / "results"));
    const tests::Ran local = place.run("grade subs --partition short");
    CHECK(local.exit == 2);
    CHECK(local.err == "assay: --partition is for --engine slurm: add that, or leave it out\n");
}
