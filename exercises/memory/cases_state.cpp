// Level training-state: Adam and ZeRO.
#include "cases.hpp"
#include "cases_seeded.hpp"

namespace assay::memory_judge {

std::vector<Case> state_cases() {
    std::vector<Case> cases;
    const auto add = [&](std::string id, std::string why, std::int64_t parameters, std::int64_t gpus,
                         std::int64_t stage, bool wide, std::string stays = "") {
        cases.push_back(
            make_case(std::move(id), std::move(why), state_of(parameters, gpus, stage, wide), std::move(stays)));
    };
    const std::string table = "a figure of the ZeRO paper's table";
    add("sixteen-bytes", "2 + 2 + 4 + 8 bytes a parameter, whole on each GPU", 1000003, 7, 0, false);
    add("eighteen-bytes", "gradients in float32", 1000003, 7, 0, true);
    add("stage-1", "master weights and moments are sharded, gradients are not", 1000003, 7, 1, false);
    add("stage-2", "gradients are sharded too, weights are not", 1000003, 7, 2, false);
    add("stage-3", "all is sharded", 1000003, 7, 3, true);
    add("table-stage-1", "7.5e9 parameters on 64 GPUs: 31.4 GB", 7500000000, 64, 1, false, table);
    add("table-stage-3", "7.5e9 parameters on 64 GPUs, 18 bytes: 2.11 GB", 7500000000, 64, 3, true, table);
    add("one-gpu", "stage 3 on one GPU shards nothing", 1000003, 1, 3, false, "the lower edge of `gpus`");
    add("more-gpus-than-parameters", "5 parameters on 8 GPUs: each holds 5/8 of one", 5, 8, 3, false,
        "a share below 1 rounds to nothing");
    add("no-parameters", "0 parameters: 0 bytes", 0, 7, 2, false, "0 is a count like another");
    add("state-past-64-bit", "9e18 parameters: their bytes pass 2^63", 9000000000000000000, 7, 1, false,
        "16 bytes a parameter overflow, the parameters do not");
    add("no-gpus", "0 GPUs are out of range, though stage 0 divides by nothing", 1000003, 0, 0, false,
        "the lower edge of `gpus`");
    add("negative-parameters", "-1 parameters are out of range", -1, 7, 1, false, "the lower edge of `parameters`");
    cases.push_back(seeded("state-seeded", state_drawn));
    return cases;
}

} // namespace assay::memory_judge
