#include "oracle_inputs.hpp"

namespace assay::grpo_hunt_judge {

Inputs read_inputs(const Problem& problem) {
    Inputs in;
    const Array& logits = problem.array("logits");
    in.N = static_cast<std::size_t>(logits.extents[0]);
    in.T = static_cast<std::size_t>(logits.extents[1]);
    in.V = static_cast<std::size_t>(logits.extents[2]);
    in.logits = logits.values();
    for (const double id : problem.array("tokens").values()) in.tokens.push_back(static_cast<std::size_t>(id));
    for (const double kept : problem.array("mask").values()) in.mask.push_back(kept != 0 ? 1 : 0);
    in.off_policy = problem.has("lp_old");
    in.has_ref = problem.has("lp_ref");
    if (in.off_policy) in.lp_old = problem.array("lp_old").values();
    if (in.has_ref) in.lp_ref = problem.array("lp_ref").values();
    in.rewards = problem.array("rewards").values();
    in.group_size = static_cast<std::size_t>(problem.integer("group_size"));
    in.ddof = static_cast<double>(problem.integer("ddof"));
    in.eps = problem.number_or("eps", 0);
    in.scale = problem.flag("scale");
    in.temperature = problem.number_or("temperature", 1);
    in.clip_low = problem.number_or("clip_low", 0);
    in.clip_high = problem.number_or("clip_high", 0);
    in.limit = problem.number_or("log_ratio_limit", 0);
    in.beta = problem.number_or("beta", 0);
    in.how = problem.integer("how");
    in.longest = static_cast<double>(problem.integer("longest"));
    return in;
}

} // namespace assay::grpo_hunt_judge
