// From numbers to problems.
#include "cases.hpp"

#include <algorithm>
#include <cmath>

namespace assay::grpo_judge {

namespace {

constexpr double grain = 64; // multiples of 1/64 are short to read, and exact

double grained(double x) { return std::round(grain * x) / grain; }

Array matrix(const Tokens& in, const std::vector<double>& values) {
    return Array::of(Dtype::f64, {static_cast<std::int64_t>(in.N), static_cast<std::int64_t>(in.T)}, values);
}

Field optional_matrix(const char* name, const Tokens& in, const std::vector<double>& values) {
    if (values.empty()) return {name, std::monostate{}, {"N", "T"}};
    return {name, matrix(in, values), {"N", "T"}};
}

/// A log-probability `d` above another, or below it where it would be above 0.
double moved(double from, double d) { return from + d <= 0 ? from + d : from - d; }

} // namespace

Problem advantages_problem(const char* route, const Numbers& rewards, const GroupRule& rule) {
    const auto N = static_cast<std::int64_t>(rewards.size());
    return {route,
            {{"rewards", Array::of(Dtype::f64, {N}, rewards), {"N"}},
             {"group_size", rule.group_size, {}},
             {"ddof", rule.ddof, {}},
             {"eps", rule.eps, {}},
             {"scale", rule.scale, {}},
             {"advantage", Array::zeros(Dtype::f64, {N}), {"N"}}}};
}

Draft::Draft(std::string_view id, std::uint64_t seed, std::size_t N, std::size_t T) : random(seed, id) {
    in.N = N;
    in.T = T;
    rule.longest = static_cast<std::int64_t>(T) + 2;
    in.mask.assign(N * T, 1);
    for (std::size_t i = 0; i < N * T; ++i) {
        in.lp_old.push_back(grained(-random.uniform(0.2, 4)));
        in.lp_new.push_back(moved(in.lp_old[i], grained(0.3 * random.normal())));
    }
    for (std::size_t n = 0; n < N; ++n) { // both signs, and none of them 0
        const double size = grained(random.uniform(0.25, 2));
        in.advantage.push_back(n % 2 == 0 ? size : -size);
    }
}

void Draft::with_reference(double beta) {
    rule.beta = beta;
    in.lp_ref.clear();
    for (const double lp : in.lp_new) in.lp_ref.push_back(moved(lp, grained(0.5 * random.normal() + 1 / grain)));
}

void Draft::lengths(const std::vector<std::size_t>& lengths) {
    for (std::size_t n = 0; n < in.N; ++n)
        for (std::size_t t = 0; t < in.T; ++t) in.mask[at(n, t)] = t < lengths[n] ? 1 : 0;
}

void Draft::poison(double value) {
    for (std::size_t i = 0; i < in.mask.size(); ++i) {
        if (in.mask[i] != 0) continue;
        in.lp_new[i] = value;
        if (!in.lp_old.empty()) in.lp_old[i] = value;
        if (!in.lp_ref.empty()) in.lp_ref[i] = value;
    }
}

void Draft::log_ratio(std::size_t n, std::size_t t, double d) {
    in.lp_old[at(n, t)] = std::min(in.lp_old[at(n, t)], -d);
    in.lp_new[at(n, t)] = in.lp_old[at(n, t)] + d;
}

void Draft::settle() {
    for (std::size_t i = 0; i < in.mask.size(); ++i) {
        Tokens one;
        one.N = one.T = 1;
        one.mask = {in.mask[i]};
        one.advantage = {1};
        if (!in.lp_ref.empty()) one.lp_ref = {in.lp_ref[i]};
        if (!in.lp_old.empty()) one.lp_old = {in.lp_old[i]};
        for (one.lp_new = {in.lp_new[i]}; !(distance_from_edges(one, rule) > 4e-3);) one.lp_new[0] -= 1 / grain;
        in.lp_new[i] = one.lp_new[0];
    }
}

Problem Draft::problem() const {
    const Array empty = matrix(in, std::vector<double>(in.mask.size()));
    std::vector<double> mask(in.mask.begin(), in.mask.end());
    const Index extents{static_cast<std::int64_t>(in.N), static_cast<std::int64_t>(in.T)};
    return {route,
            {{"lp_new", matrix(in, in.lp_new), {"N", "T"}},
             {"lp_new_grad", empty, {"N", "T"}},
             optional_matrix("lp_old", in, in.lp_old),
             optional_matrix("lp_ref", in, in.lp_ref),
             {"advantage", Array::of(Dtype::f64, {extents[0]}, in.advantage), {"N"}},
             {"mask", Array::of(Dtype::boolean, extents, mask), {"N", "T"}},
             {"clip_low", rule.clip_low, {}},
             {"clip_high", rule.clip_high, {}},
             {"log_ratio_limit", rule.log_ratio_limit, {}},
             {"beta", rule.beta, {}},
             {"how", static_cast<std::int64_t>(rule.how), {}},
             {"longest", rule.longest, {}},
             {"terms", empty, {"N", "T"}}}};
}

Case loss_case(const char* route, std::string id, std::string why, std::size_t N, std::size_t T, Change change,
               std::string stays) {
    Case one;
    one.id = id;
    one.why = std::move(why);
    one.stays = std::move(stays);
    one.make = [=, id = std::move(id), change = std::move(change)](std::uint64_t seed) {
        Draft draft(id, seed, N, T);
        draft.route = route;
        if (change) change(draft);
        draft.settle();
        return draft.problem();
    };
    return one;
}

Case advantages_case(const char* route, std::string id, std::string why, const Numbers& rewards, const GroupRule& rule,
                     std::string stays) {
    return {std::move(id), std::move(why), [=](std::uint64_t) { return advantages_problem(route, rewards, rule); },
            std::move(stays)};
}

} // namespace assay::grpo_judge
