// Shares of a cluster's tasks: cut, worked through once however often they are delivered, and what is left is told.
#include "catch.hpp"

#include "catalogue/files.hpp"
#include "grade/shards.hpp"
#include "grade/stand_in.hpp"

#include <algorithm>
#include <unistd.h>

using namespace assay;

namespace {

struct Task {
    Scratch scratch;
    Plan plan;
    ShardOptions options;

    explicit Task(const std::vector<std::string>& behaviours) : plan(plan_with(scratch, behaviours)) {
        options.out = scratch.path / "out";
        options.program = stand_in_judge(scratch);
        options.jobs = 2;
        options.wall_limit = std::chrono::seconds(2);
        options.node = "n1";
    }

    ShardReport run() {
        const Outcome<bool> ran = run_shard(plan, scratch.path / "report", options);
        REQUIRE(ran.ok());
        REQUIRE(*ran);
        bool ok = false;
        const Outcome<ShardReport> report = shard_report_from_json(read_text(scratch.path / "report", ok));
        REQUIRE(report.ok());
        return *report;
    }

    int calls() const {
        bool ok = false;
        const std::string text = read_text(scratch.path / "calls", ok);
        return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
    }
};

} // namespace

TEST_CASE("units are cut in their order, those for a GPU into shards of their own") {
    const Scratch scratch;
    Plan plan = plan_with(scratch, std::vector<std::string>(8, "right"));
    plan.units[1].source = "/s/b/sdpa.cu";
    plan.units[6].source = "/s/g/sdpa.cu";
    plan.units[2].source = "/s/c/sdpa.cu";
    plan.units[2].identity.device = "cuda-emulated";
    const std::vector<Shard> shards = cut_into_shards(plan, {0, 1, 2, 3, 5, 6, 7}, 2);
    REQUIRE(shards.size() == 4);
    CHECK(shards[0].units == std::vector<std::size_t>{0, 2});
    CHECK(shards[1].units == std::vector<std::size_t>{3, 5});
    CHECK(shards[2].units == std::vector<std::size_t>{7});
    CHECK_FALSE(shards[2].gpu);
    CHECK(shards[3].units == std::vector<std::size_t>{1, 6});
    CHECK(shards[3].gpu);
    CHECK(cut_into_shards(plan, {}, 2).empty());
    const Plan part = plan_of(plan, shards[1]);
    REQUIRE(part.units.size() == 2);
    CHECK(part.units[1].candidate == plan.units[5].candidate);
}

TEST_CASE("a task records what it can, and tells of the rest without recording it") {
    Task task({"right", "crash", "right", "elsewhere", "once"});
    const ShardReport report = task.run();
    CHECK(report.node == "n1");
    REQUIRE(report.faults.size() == 2);
    CHECK_THAT(report.faults.at(1).reason, Catch::StartsWith("the judge was killed by signal 11"));
    CHECK_THAT(report.faults.at(3).reason, Catch::StartsWith("the isolation is bounded"));
    const auto got = verdicts_in(task.options.out, task.plan);
    CHECK(got.at("right0") == "AC ");
    CHECK(got.at("crash1") == "none");
    CHECK(got.at("once4") == "AC ");
}

TEST_CASE("a second delivery runs nothing that has its result") {
    Task task({"right", "right", "crash"});
    task.run();
    CHECK(task.calls() == 4); // the crash twice
    task.run();
    CHECK(task.calls() == 6);
    CHECK(verdicts_in(task.options.out, task.plan).at("right1") == "AC ");
}

TEST_CASE("a source that changed since it was planned is told as that") {
    Task task({"right"});
    task.plan.units[0].identity.source_hash = "other";
    const ShardReport report = task.run();
    REQUIRE(report.faults.size() == 1);
    CHECK(report.faults.at(0).changed);
    CHECK(task.calls() == 1);
}

TEST_CASE("a machine that cannot give the planned result runs nothing") {
    Task task({"right", "right"});
    task.options.hindrance = [](const Unit& unit) { return unit.candidate == "right0" ? "no compiler" : ""; };
    const ShardReport report = task.run();
    REQUIRE(report.faults.size() == 1);
    CHECK(report.faults.at(0).reason == "no compiler");
    CHECK(task.calls() == 1);
}

TEST_CASE("a task that is ended leaves no report") {
    Task task(std::vector<std::string>(20, "slow"));
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    REQUIRE(::write(ends[1], "x", 1) == 1);
    task.options.stop = ends[0];
    const Outcome<bool> ran = run_shard(task.plan, task.scratch.path / "report", task.options);
    ::close(ends[0]);
    ::close(ends[1]);
    REQUIRE(ran.ok());
    CHECK_FALSE(*ran);
    CHECK_FALSE(std::filesystem::exists(task.scratch.path / "report"));
}

TEST_CASE("a report comes back from its JSON, and a damaged one is none") {
    const ShardReport report{"n\n1", {{0, {true, ""}}, {7, {false, "it \"broke\""}}}};
    const Outcome<ShardReport> back = shard_report_from_json(to_json(report));
    REQUIRE(back.ok());
    CHECK(to_json(*back) == to_json(report));
    CHECK(back->faults.at(0).changed);
    CHECK_FALSE(shard_report_from_json("{}").ok());
    CHECK_FALSE(shard_report_from_json(to_json(report).substr(0, 20)).ok());
}
