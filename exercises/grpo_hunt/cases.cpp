// The draft of a case and how it becomes a problem.
#include "cases.hpp"

#include <cmath>
#include <limits>

namespace assay::grpo_hunt_judge {

Draft::Draft(const Shape& of, std::uint64_t seed, std::string_view id)
    : shape(of), random(seed, id), longest(2 * of.T + 1) {
    const Index all{shape.N, shape.T, shape.V}, each{shape.N, shape.T};
    logits = Array::generate(Dtype::f64, all,
                             [&](const Index&) { return static_cast<double>(random.integer(-24, 24)) / 8; });
    tokens = Array::generate(Dtype::i64, each,
                             [&](const Index&) { return static_cast<double>(random.integer(0, shape.V - 1)); });
    mask = Array::generate(Dtype::boolean, each, [](const Index& at) { return at[1] == 0 ? 0.0 : 1.0; });
    rewards = Array::generate(Dtype::f64, {shape.N}, [&](const Index& at) {
        const std::int64_t place = at[0] % shape.group_size, group = at[0] / shape.group_size;
        return static_cast<double>((place + 1) * (place + 1) - group * place) / 2;
    });
}

void Draft::set_lengths(const std::vector<std::int64_t>& lengths, std::int64_t prompt) {
    mask = Array::generate(Dtype::boolean, {shape.N, shape.T}, [&](const Index& at) {
        const std::int64_t length = lengths[static_cast<std::size_t>(at[0]) % lengths.size()];
        return at[1] >= prompt && at[1] < prompt + length ? 1.0 : 0.0;
    });
}

void Draft::set_rewards(const std::vector<double>& values) { rewards = Array::of(Dtype::f64, {shape.N}, values); }

double Draft::log_prob(std::int64_t n, std::int64_t t) const {
    double top = -std::numeric_limits<double>::infinity(), total = 0;
    for (std::int64_t v = 0; v < shape.V; ++v) top = std::max(top, logits.at({n, t - 1, v}) / temperature);
    for (std::int64_t v = 0; v < shape.V; ++v) total += std::exp(logits.at({n, t - 1, v}) / temperature - top);
    const auto id = static_cast<std::int64_t>(tokens.at({n, t}));
    return logits.at({n, t - 1, id}) / temperature - top - std::log(total);
}

/// New log-probs and these differences, to six digits: another library's logarithm does not change a case.
Array Draft::apart(const std::vector<double>& differences) const {
    return Array::generate(Dtype::f64, {shape.N, shape.T}, [&](const Index& at) {
        if (at[1] == 0) return -1.0;
        const double by = differences[static_cast<std::size_t>(at[1] - 1) % differences.size()];
        return std::round((log_prob(at[0], at[1]) + by) * 1e6) / 1e6;
    });
}

void Draft::set_ratios(const std::vector<double>& ratios) {
    std::vector<double> differences;
    for (const double ratio : ratios) differences.push_back(-std::log(ratio));
    lp_old = apart(differences);
}

void Draft::set_ref(const std::vector<double>& differences) { lp_ref = apart(differences); }

void Draft::spoil(Value& log_probs, const Array& mask) {
    auto& array = std::get<Array>(log_probs);
    for_each_index(array.extents, [&](const Index& at) {
        if (mask.at(at) == 0) array.set(at, std::numeric_limits<double>::quiet_NaN());
    });
}

Problem Draft::problem(std::string_view route) const {
    const std::vector<std::string> all{"N", "T", "V"}, each{"N", "T"}, rows{"N"};
    Problem problem;
    problem.route = route;
    problem.fields = {
        {"logits", logits, all},
        {"logits_grad", Array::zeros(Dtype::f64, logits.extents), all},
        {"tokens", tokens, each},
        {"mask", mask, each},
        {"lp_old", lp_old, each},
        {"lp_ref", lp_ref, each},
        {"rewards", rewards, rows},
        {"group_size", shape.group_size, {}},
        {"ddof", ddof, {}},
        {"eps", eps, {}},
        {"scale", scale, {}},
        {"temperature", temperature, {}},
        {"clip_low", clip_low, {}},
        {"clip_high", clip_high, {}},
        {"log_ratio_limit", limit, {}},
        {"beta", beta, {}},
        {"how", how, {}},
        {"longest", longest, {}},
        {"log_probs", Array::zeros(Dtype::f64, mask.extents), each},
        {"advantage", Array::zeros(Dtype::f64, rewards.extents), rows},
        {"terms", Array::zeros(Dtype::f64, mask.extents), each},
    };
    return problem;
}

Case make_case(std::string route, std::string id, std::string why, const Shape& shape, Change change,
               std::string stays) {
    Case one;
    one.id = id;
    one.why = std::move(why);
    one.stays = std::move(stays);
    one.make = [route = std::move(route), name = id, shape, change = std::move(change)](std::uint64_t seed) {
        Draft draft(shape, seed, name);
        change(draft);
        return draft.problem(route);
    };
    return one;
}

} // namespace assay::grpo_hunt_judge
