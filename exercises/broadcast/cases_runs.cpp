// Levels 4 and 5: runs of a planner.
#include "cases.hpp"

#include "core/random.hpp"

namespace assay::broadcast_judge {

Problem plan_run(std::int64_t receivers, std::int64_t chunks, std::int64_t rack_size, std::int64_t uplink) {
    return {
        "make_planner",
        {{"receivers", receivers, {}}, {"chunks", chunks, {}}, {"rack_size", rack_size, {}}, {"uplink", uplink, {}}}};
}

Problem fault_run(std::int64_t receivers, std::int64_t chunks, std::int64_t corrupt_percent, std::int64_t deaths,
                  std::int64_t restart_after, std::int64_t draws) {
    return {"resume_planner",
            {{"receivers", receivers, {}},
             {"chunks", chunks, {}},
             {"corrupt_percent", corrupt_percent, {}},
             {"deaths", deaths, {}},
             {"restart_after", restart_after, {}},
             {"draws", draws, {}}}};
}

std::vector<Case> run_cases() {
    return {
        fixed("plan-two", "2 receivers, 1 chunk: the source and then anybody who has it", plan_run(2, 1, 0, 0)),
        fixed("plan-one-receiver", "1 receiver: the source alone sends", plan_run(1, 7, 0, 0),
              "nobody to pass anything on to"),
        fixed("plan-three", "3 receivers, 2 chunks", plan_run(3, 2, 0, 0), "small enough to draw"),
        fixed("plan-six", "6 receivers, 5 chunks: two senders may choose the same receiver", plan_run(6, 5, 0, 0)),
        fixed("plan-sixty", "60 receivers, 60 chunks: links must be busy to be in time", plan_run(60, 60, 0, 0)),
        fixed("plan-racks", "2 racks of 3 behind uplinks of 1 chunk a slot", plan_run(6, 4, 3, 1)),
        fixed("plan-racks-wide", "3 racks of 4 behind uplinks that never bind: still one copy a rack",
              plan_run(12, 5, 4, 12), "a copy too many is all that can go wrong at the uplinks"),
        fixed("plan-racks-uneven", "the last of 3 racks has 2 nodes, uplinks of 2", plan_run(10, 6, 4, 2),
              "rack sizes need not divide N"),
        fixed("plan-racks-of-one", "every node in a rack of its own: all sends cross", plan_run(5, 3, 1, 1),
              "each node's link is an uplink"),
        fixed("plan-sixty-racks", "60 receivers, 60 chunks, in racks of 12 behind uplinks of 1",
              plan_run(60, 60, 12, 1), "the time with racks"),
        fixed("plan-thousand", "1000 receivers, 500 chunks", plan_run(1000, 500, 0, 0),
              "the numbers of the question as it is asked"),
        fixed("plan-thousand-racks", "1000 receivers, 500 chunks, in 25 racks of 40 behind uplinks of 1",
              plan_run(1000, 500, 40, 1), "one stream into each rack"),
    };
}

std::vector<Case> fault_cases() {
    return {
        fixed("faults-none", "no faults: only the source has anything on its disk", fault_run(4, 3, 0, 0, 0, 0),
              "level 4 by the other maker"),
        fixed("faults-corrupt", "a quarter of the chunks fail their checksum", fault_run(5, 6, 25, 0, 0, 3)),
        fixed("faults-deaths", "2 of 6 receivers die", fault_run(6, 8, 0, 2, 0, 1)),
        fixed("faults-most-die", "12 of 20 receivers die: those that are left have links to spare",
              fault_run(20, 30, 0, 12, 0, 5), "a dead node that is asked to send last of all is asked here"),
        fixed("faults-restart", "everything stops after slot 4 and starts anew", fault_run(5, 6, 0, 0, 4, 0)),
        fixed("faults-early-restart", "the stop comes after the first slot", fault_run(3, 4, 0, 0, 1, 0),
              "one chunk on the way, nothing verified"),
        fixed("faults-deaths-then-restart", "who died before the stop is told after it", fault_run(7, 9, 0, 3, 9, 5),
              "the first call after a restart tells more than the slot before"),
        fixed("faults-all", "30 receivers: corrupt chunks, 3 deaths and a restart", fault_run(30, 20, 10, 3, 12, 2),
              "everything at once"),
        fixed("faults-thousand", "1000 receivers, 500 chunks: 1 % corrupt, 1 % of the nodes die, one restart",
              fault_run(1000, 500, 1, 10, 250, 4), "the numbers of the question as it is asked"),
    };
}

Problem random_run(Random& random) {
    const std::int64_t receivers = random.integer(1, 24), chunks = random.integer(1, 24);
    if (random.chance(0.5)) {
        const std::int64_t rack_size = random.chance(0.3) ? 0 : random.integer(1, receivers);
        return plan_run(receivers, chunks, rack_size, rack_size == 0 ? 0 : random.integer(1, 4));
    }
    const std::int64_t deaths = random.integer(0, receivers - 1), restart = random.integer(0, 2 * chunks);
    return fault_run(receivers, chunks, random.integer(0, 30), deaths, restart, random.integer(0, 1000));
}

} // namespace assay::broadcast_judge
