// The hidden command that a node runs, where the node is not as the grader believes.
#include "catch.hpp"

#include "cli/assay.hpp"
#include "grade/shards.hpp"
#include "grade/stand_in.hpp"

using namespace assay;

TEST_CASE("assay grade-shard tells what hinders a node, and runs nothing there") {
    tests::Place place;
    place.extra = "SLURMD_NODENAME=n9";
    const Scratch scratch;
    Plan plan = plan_with(scratch, {"gone", "other"});
    plan.units[1].source = place.work() / "sdpa.cpp";
    place.write("sdpa.cpp", "int x = ;");
    place.write("round-1/shard-4.json", to_json(plan));
    const tests::Ran ran = place.run("grade-shard out round-1/shard-4.json");
    CHECK(ran.err.empty());
    CHECK(ran.exit == 0);
    const Outcome<ShardReport> report = shard_report_from_json(place.read("round-1/report-4.json"));
    REQUIRE(report.ok());
    CHECK(report->node == "n9");
    REQUIRE(report->faults.size() == 2);
    CHECK_THAT(report->faults.at(0).reason,
               Catch::EndsWith("/gone cannot be read on n9: the submissions must be where the nodes see them"));
    CHECK_THAT(report->faults.at(1).reason, Catch::StartsWith("on n9, Assay is "));
    CHECK_FALSE(std::filesystem::exists(place.work() / "out"));

    const tests::Ran alone = place.run("grade-shard out round-1/shard-5.json");
    CHECK(alone.exit == 3);
    CHECK_THAT(alone.err,
               Catch::EndsWith("shard-5.json cannot be read on n9: the output folder must be on a file system "
                               "that the nodes share\n"));
}
