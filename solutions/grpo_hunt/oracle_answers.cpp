// What the judge asks of the oracle: the stages that a route compares, right or with one bug, and the domain.
#include "hunt_model.hpp"
#include "oracle.hpp"

#include <algorithm>
#include <cmath>

namespace assay::grpo_hunt_judge {

namespace {

Truth truth_of(const char* name, const Index& extents, const std::vector<Bounded>& values) {
    Truth truth;
    truth.name = name;
    truth.extents = extents;
    truth.dtype = Dtype::f64;
    for (const Bounded& one : values) {
        truth.value.push_back(one.value);
        truth.bound.push_back(one.bound);
    }
    return truth;
}

/// Whether each number lies in its range; NaN does in none.
bool in_domain(const Problem& problem, const Inputs& in) {
    const std::int64_t ddof = problem.integer("ddof"), how = problem.integer("how");
    const auto within = [](double x, double low, double high) { return x >= low && x <= high; };
    return (ddof == 0 || ddof == 1) && how >= 0 && how <= 2 && problem.integer("longest") >= 1 &&
           problem.integer("longest") <= 1'000'000 && within(in.eps, 0, 1) && within(in.temperature, 0.05, 20) &&
           within(in.clip_low, 0.05, 0.9) && within(in.clip_high, 0.05, 2) && within(in.limit, 0.5, 20) &&
           within(in.beta, 0, 10) &&
           std::all_of(in.logits.begin(), in.logits.end(), [&](double x) { return within(x, -1e4, 1e4); }) &&
           std::all_of(in.rewards.begin(), in.rewards.end(), [&](double x) { return within(x, -1e4, 1e4); });
}

/// Rewards of one prompt are equal, or apart by what rounding cannot make.
bool groups_are_clear(const Inputs& in) {
    for (std::size_t first = 0; first < in.N; first += in.group_size) {
        const auto [low, high] =
            std::minmax_element(in.rewards.begin() + static_cast<std::ptrdiff_t>(first),
                                in.rewards.begin() + static_cast<std::ptrdiff_t>(first + in.group_size));
        if (*low != *high && *high - *low < 1e-3) return false;
    }
    return true;
}

bool away_from_edges(const Inputs& in) {
    constexpr double edge = 1e-3;
    const Stages right = run_right(in);
    for (std::size_t at = 0; at < in.mask.size(); ++at) {
        if (in.mask[at] == 0) continue;
        const double lp = right.log_probs[at].value;
        if (in.off_policy) {
            const double difference = lp - in.lp_old[at], ratio = std::exp(difference);
            if (!(std::fabs(in.lp_old[at]) <= 1e4) || std::fabs(std::fabs(difference) - in.limit) < edge ||
                std::fabs(ratio - (1 - in.clip_low)) < edge || std::fabs(ratio - (1 + in.clip_high)) < edge)
                return false;
        }
        if (in.has_kl() &&
            (!(std::fabs(in.lp_ref[at]) <= 1e4) || std::fabs(std::fabs(in.lp_ref[at] - lp) - in.limit) < edge))
            return false;
    }
    return true;
}

} // namespace

std::vector<std::string> outputs_of(std::string_view route) {
    if (route == "log-probs") return {"log_probs"};
    if (route == "advantages") return {"advantage"};
    if (route == "ratio") return {"terms"};
    if (route == "gradient") return {"loss", "logits_grad"};
    return {"terms", "loss"};
}

std::optional<Truths> oracle(const Problem& problem, std::string_view mistake, int form) {
    if (form != 0) return std::nullopt;
    if (!mistake.empty()) return run_with(mistake, problem);
    const Inputs in = read_inputs(problem);
    const Stages right = run_right(in);
    const auto N = static_cast<std::int64_t>(in.N), T = static_cast<std::int64_t>(in.T),
               V = static_cast<std::int64_t>(in.V);
    Truths truths;
    for (const std::string& name : outputs_of(problem.route)) {
        if (name == "log_probs") truths.push_back(truth_of("log_probs", {N, T}, right.log_probs));
        if (name == "advantage") truths.push_back(truth_of("advantage", {N}, right.advantage));
        if (name == "terms") truths.push_back(truth_of("terms", {N, T}, right.terms));
        if (name == "loss") truths.push_back(truth_of("loss", {}, {right.loss}));
        if (name == "logits_grad") truths.push_back(truth_of("logits_grad", {N, T, V}, right.logits_grad));
    }
    return truths;
}

bool valid(const Problem& problem) {
    for (const char* name :
         {"logits", "logits_grad", "tokens", "mask", "rewards", "group_size", "ddof", "eps", "scale", "temperature",
          "clip_low", "clip_high", "log_ratio_limit", "beta", "how", "longest", "log_probs", "advantage", "terms"})
        if (!problem.has(name)) return false;
    const Index all = problem.array("logits").extents;
    if (all.size() != 3 || std::any_of(all.begin(), all.end(), [](std::int64_t extent) { return extent < 1; }))
        return false;
    const Index each{all[0], all[1]}, rows{all[0]};
    for (const char* name : {"tokens", "mask", "lp_old", "lp_ref", "log_probs", "terms"})
        if (problem.has(name) && problem.array(name).extents != each) return false;
    for (const char* name : {"rewards", "advantage"})
        if (problem.array(name).extents != rows) return false;
    if (problem.array("logits_grad").extents != all) return false;
    const std::int64_t group = problem.integer("group_size");
    if (group < 1 || all[0] % group != 0) return false;
    for (const double id : problem.array("tokens").values())
        if (!(id >= 0 && id < static_cast<double>(all[2]))) return false;
    for (std::int64_t n = 0; n < all[0]; ++n)
        if (problem.array("mask").at({n, 0}) != 0) return false;
    const Inputs in = read_inputs(problem);
    return in_domain(problem, in) && groups_are_clear(in) && away_from_edges(in);
}

} // namespace assay::grpo_hunt_judge
