// What Slurm's own programs print, as it is read.
#include "catch.hpp"

#include "grade/slurm_client.hpp"

using namespace assay;

TEST_CASE("squeue's lines are read, whatever stands between them") {
    const SlurmTasks tasks = tasks_from("squeue: warning: something\n12_3|PENDING|launch failed requeued held|\n"
                                        "12_4|RUNNING|None|n[1-2]\n13|CANCELLED|None|\n14_0|PENDING|Priority|\n");
    REQUIRE(tasks.size() == 4);
    CHECK(tasks.at("12_3").held());
    CHECK_FALSE(tasks.at("12_3").ended());
    CHECK(tasks.at("12_4").node == "n[1-2]");
    CHECK(tasks.at("13").ended());
    CHECK_FALSE(tasks.at("14_0").held());
    CHECK(is_unreachable("sbatch: error: Batch job submission failed: Socket timed out on send/recv operation"));
    CHECK_FALSE(is_unreachable("sbatch: error: Batch job submission failed: Invalid account or account/partition"));
}
