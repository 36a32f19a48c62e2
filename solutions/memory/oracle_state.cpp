// Training state of mixed-precision Adam, and what ZeRO shards of it.
#include "oracle.hpp"

#include <cmath>

namespace assay::memory_judge {

Truths training_state(const Problem& problem, const Slips& on) {
    const double all = count(problem, "parameters"), gpus = count(problem, "gpus");
    double share = all / gpus;
    if (on("share-rounded")) share = on("share-rounded", 0) ? std::floor(share) : std::ceil(share);
    const std::int64_t stage = problem.integer("stage") - (on("stages-off-by-one") ? 1 : 0);
    const bool shards_optimizer = stage >= 1, shards_gradients = stage >= (on("zero1-shards-gradients") ? 1 : 2) &&
                                                                 !(stage == 2 && on("zero2-keeps-gradients"));
    const bool shards_weights = stage >= (on("zero2-shards-weights") ? 2 : 3) && !on("zero3-keeps-weights");
    const auto held = [&](bool shards) { return shards ? share : all; };

    const double unit = on("bits-for-bytes") ? 8 : 1;
    const bool wide = problem.flag("fp32_gradients") && !on("fp32-gradients-ignored");
    const double weights = 2 * unit * held(shards_weights);
    const double gradients = (wide ? 4 : 2) * unit * held(shards_gradients);
    const double master = on("master-forgotten") ? 0 : 4 * unit * held(shards_optimizer);
    const double moments = (on("one-moment") ? 1 : 2) * (on("moments-16-bit") ? 2 : 4) * unit * held(shards_optimizer);
    const double total = weights + gradients + master + moments;
    return answered(Items()
                        .number("weights", weights, "B")
                        .number("gradients", gradients, "B")
                        .number("master", master, "B")
                        .number("moments", moments, "B")
                        .number("total", total, "B")
                        .number("total_gb", on("gib-for-gb") ? total / gib : total / 1e9, "GB"),
                    all_at_least(problem, 0, {"parameters"}) && all_at_least(problem, 1, {"gpus"}), on);
}

} // namespace assay::memory_judge
