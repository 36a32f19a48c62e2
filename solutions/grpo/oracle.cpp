// From problems to answers.
#include "oracle.hpp"

#include "oracle_mistaken.hpp"

#include <algorithm>
#include <cmath>

namespace assay::grpo_judge {

namespace {

Truth truth(const char* name, Index extents, Bounded answer) {
    return {name, std::move(extents), std::move(answer.value), std::move(answer.bound), Dtype::f64};
}

bool has(const Problem& problem, std::initializer_list<const char*> names) {
    return std::all_of(names.begin(), names.end(), [&](const char* name) { return problem.has(name); });
}

bool within(double x, double least, double most) { return x >= least && x <= most; }

/// Rewards all equal, or a thousandth of the largest apart: nearer ones would be told apart by rounding alone. Equal
/// ones in level degenerate only.
bool are_apart(const std::vector<double>& rewards, std::size_t size, bool may_be_equal) {
    for (std::size_t first = 0; first < rewards.size(); first += size) {
        double least = rewards[first], most = least, largest = 0;
        for (std::size_t n = first; n < first + size; ++n) {
            if (!within(rewards[n], -1e6, 1e6)) return false;
            least = std::min(least, rewards[n]);
            most = std::max(most, rewards[n]);
            largest = std::max(largest, std::fabs(rewards[n]));
        }
        if (least == most ? !may_be_equal : !(most - least >= 1e-3 * largest)) return false;
    }
    return true;
}

bool valid_advantages(const Problem& problem) {
    if (!has(problem, {"rewards", "group_size", "ddof", "eps", "scale", "advantage"})) return false;
    const Array& rewards = problem.array("rewards");
    const GroupRule rule = group_rule_of(problem);
    if (rewards.rank() != 1 || rewards.size() < 1 || problem.array("advantage").extents != rewards.extents)
        return false;
    if (rule.group_size < 1 || rewards.size() % rule.group_size != 0) return false;
    if ((rule.ddof != 0 && rule.ddof != 1) || (rule.eps != 0 && !within(rule.eps, 1e-8, 1))) return false;
    return are_apart(rewards.values(), static_cast<std::size_t>(rule.group_size), problem.route == "groups");
}

bool valid_rule(const LossRule& rule) {
    return within(rule.clip_low, 0.01, 0.99) && within(rule.clip_high, 0.01, 10) && within(rule.beta, 0, 10) &&
           within(rule.log_ratio_limit, 1, 50) && rule.longest >= 1 && rule.how >= Aggregation::sequence_mean &&
           rule.how <= Aggregation::constant;
}

/// What the first levels have not come to yet, so that no smallest failing case shows it: masks, KL, clamped
/// log-ratios, empty sequences.
bool is_of_level(std::string_view route, const Tokens& tokens, const LossRule& rule) {
    if (route == "loss" || route == "gradient") return true;
    if (route != "kl" && rule.beta != 0) return false;
    for (std::size_t n = 0; n < tokens.N; ++n) {
        const auto row = tokens.mask.begin() + static_cast<std::ptrdiff_t>(n * tokens.T);
        const auto count = std::count(row, row + static_cast<std::ptrdiff_t>(tokens.T), char{1});
        if (count == 0 || (route == "ratio" && count != static_cast<std::ptrdiff_t>(tokens.T))) return false;
    }
    for (std::size_t i = 0; i < tokens.mask.size(); ++i) {
        if (tokens.mask[i] == 0) continue;
        const bool far = std::fabs(tokens.lp_new[i] - tokens.old(i)) > rule.log_ratio_limit;
        const bool far_reference =
            !tokens.lp_ref.empty() &&
            !(tokens.lp_ref[i] <= 0 && std::fabs(tokens.lp_ref[i] - tokens.lp_new[i]) <= rule.log_ratio_limit);
        if (far || far_reference) return false;
    }
    return true;
}

bool valid_loss(const Problem& problem) {
    if (!has(problem, {"lp_new", "lp_new_grad", "advantage", "mask", "terms", "clip_low", "clip_high",
                       "log_ratio_limit", "beta", "how", "longest"}) ||
        problem.find("lp_old") == nullptr || problem.find("lp_ref") == nullptr)
        return false;
    const Index& extents = problem.array("lp_new").extents;
    if (extents.size() != 2 || extents[0] < 1 || extents[1] < 1) return false;
    for (const char* name : {"lp_new_grad", "lp_old", "lp_ref", "mask", "terms"})
        if (problem.has(name) && problem.array(name).extents != extents) return false;
    const LossRule rule = loss_rule_of(problem);
    if (problem.array("advantage").extents != Index{extents[0]} || !valid_rule(rule)) return false;
    const Tokens tokens = tokens_of(problem);
    for (const double A : tokens.advantage)
        if (!within(A, -1e6, 1e6)) return false;
    const auto is_log_probability = [](double lp) { return within(lp, -1e4, 0); };
    for (std::size_t i = 0; i < tokens.mask.size(); ++i) {
        if (tokens.mask[i] == 0) continue;
        if (!is_log_probability(tokens.lp_new[i]) || !is_log_probability(tokens.old(i))) return false;
        if (tokens.has_kl(rule) && !is_log_probability(tokens.lp_ref[i])) return false;
    }
    return distance_from_edges(tokens, rule) > 1e-3 && is_of_level(problem.route, tokens, rule);
}

bool is_advantages(const Problem& problem) { return problem.route == "advantages" || problem.route == "groups"; }

} // namespace

GroupRule group_rule_of(const Problem& problem) {
    return {problem.integer("group_size"), problem.integer("ddof"), problem.number_or("eps", 0), problem.flag("scale")};
}

LossRule loss_rule_of(const Problem& problem) {
    return {problem.number_or("clip_low", 0),
            problem.number_or("clip_high", 0),
            problem.number_or("log_ratio_limit", 0),
            problem.number_or("beta", 0),
            static_cast<Aggregation>(problem.integer("how")),
            problem.integer("longest")};
}

Tokens tokens_of(const Problem& problem) {
    const Array& lp_new = problem.array("lp_new");
    Tokens tokens;
    tokens.N = static_cast<std::size_t>(lp_new.extents[0]);
    tokens.T = static_cast<std::size_t>(lp_new.extents[1]);
    tokens.lp_new = lp_new.values();
    if (problem.has("lp_old")) tokens.lp_old = problem.array("lp_old").values();
    if (problem.has("lp_ref")) tokens.lp_ref = problem.array("lp_ref").values();
    tokens.advantage = problem.array("advantage").values();
    for (const double m : problem.array("mask").values()) tokens.mask.push_back(m != 0 ? 1 : 0);
    return tokens;
}

std::optional<Truths> oracle(const Problem& problem, const Slips& on) {
    if (is_advantages(problem)) {
        const Array& rewards = problem.array("rewards");
        const GroupRule rule = group_rule_of(problem);
        return Truths{
            truth("advantage", rewards.extents,
                  on.none() ? advantages(rewards.values(), rule) : mistaken_advantages(rewards.values(), rule, on))};
    }
    const Index& extents = problem.array("lp_new").extents;
    const Tokens tokens = tokens_of(problem);
    const LossRule rule = loss_rule_of(problem);
    LossAnswer answer = on.none() ? loss(tokens, rule) : mistaken_loss(tokens, rule, on);
    Bounded number(1);
    number.value = {answer.loss};
    number.bound = {answer.loss_bound};
    Truths truths{truth("terms", extents, std::move(answer.terms)), truth("loss", {}, std::move(number))};
    if (problem.route == "gradient") truths.push_back(truth("lp_new_grad", extents, std::move(answer.gradient)));
    return truths;
}

bool valid(const Problem& problem) { return is_advantages(problem) ? valid_advantages(problem) : valid_loss(problem); }

} // namespace assay::grpo_judge
