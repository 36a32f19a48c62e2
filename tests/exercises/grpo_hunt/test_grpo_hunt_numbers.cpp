// The numbers that statement, walkthrough and notes state.
#include "exercises/grpo_hunt/grpo_hunt.hpp"

#include <cmath>

using namespace assay;
using namespace assay::grpo_hunt_test;

namespace {

constexpr double digits = 5.1e-7; // six are printed

/// One group of these rewards, everything else of the worked example left out.
std::vector<Bounded> advantages(const std::vector<double>& rewards, double ddof, double eps, bool scale = true) {
    Inputs in;
    in.N = in.group_size = rewards.size();
    in.T = in.V = 1;
    in.logits.assign(in.N, 0);
    in.tokens.assign(in.N, 0);
    in.mask.assign(in.N, 0);
    in.rewards = rewards;
    in.ddof = ddof;
    in.eps = eps;
    in.scale = scale;
    in.limit = 1;
    return run_right(in).advantage;
}

/// One row of one token to predict out of two ids, at ratio `ratio` and advantage `a`: its term, and whether it is
/// live.
std::pair<double, bool> token(double ratio, double a) {
    Inputs in;
    in.N = 2; // rewards a and -a: mean 0, not scaled
    in.group_size = 2;
    in.T = 2;
    in.V = 2;
    in.logits.assign(8, 0);
    in.tokens.assign(4, 0);
    in.mask = {0, 1, 0, 0};
    in.off_policy = true;
    in.lp_old.assign(4, std::log(0.5) - std::log(ratio));
    in.rewards = {a, -a};
    in.scale = false;
    in.clip_low = in.clip_high = 0.2;
    in.limit = 10;
    const Stages out = run_right(in);
    return {out.terms[1].value, out.logits_grad[0].value != 0};
}

} // namespace

TEST_CASE("grpo_hunt: the statement's worked example") {
    const Stages out = run_right(worked_example());
    const auto expect = [](const Bounded& got, double stated) {
        INFO(got.value << " for " << stated);
        CHECK(std::fabs(got.value - stated) < digits);
    };
    for (const auto& [at, stated] : std::vector<std::pair<std::size_t, double>>{
             {0, 0}, {1, -0.680270}, {2, -1.180270}, {3, 0}, {4, -1.098612}, {5, -1.180270}})
        expect(out.log_probs[at], stated);
    expect(out.advantage[0], 0.833333);
    expect(out.advantage[1], -0.833333);
    for (const auto& [at, stated] : std::vector<std::pair<std::size_t, double>>{
             {0, 0}, {1, 0.997753}, {2, 0.764449}, {3, 0}, {4, -0.756977}, {5, 0}})
        expect(out.terms[at], stated);
    expect(out.loss, -0.062062);
    const std::vector<double> gradient{-0.000459, -0.000757, 0.001217, 0.046956,  -0.064231, 0.017274,
                                       0,         0,         0,        -0.064443, 0.128886,  -0.064443};
    for (std::size_t i = 0; i < out.logits_grad.size(); ++i)
        expect(out.logits_grad[i], i < gradient.size() ? gradient[i] : 0);
}

TEST_CASE("grpo_hunt: the walkthrough's table of ratio and sign of the advantage") {
    struct Row {
        double ratio, up;
        bool up_live;
        double down;
        bool down_live;
    };
    for (const Row& row :
         {Row{0.5, 0.5, true, -0.8, false}, Row{0.79, 0.79, true, -0.8, false}, Row{1, 1, true, -1, true},
          Row{1.21, 1.2, false, -1.21, true}, Row{2, 1.2, false, -2, true}}) {
        INFO(row.ratio);
        CHECK(token(row.ratio, 1).first == Approx(row.up));
        CHECK(token(row.ratio, 1).second == row.up_live);
        CHECK(token(row.ratio, -1).first == Approx(row.down));
        CHECK(token(row.ratio, -1).second == row.down_live);
    }
}

TEST_CASE("grpo_hunt: advantages in the paper's convention, TRL's and Dr. GRPO's") {
    const std::vector<double> rewards{1, 0, 0, 1, 0}; // mean 0.4; variances 0.24 and 0.3
    CHECK(advantages(rewards, 0, 0)[0].value == Approx(0.6 / std::sqrt(0.24)));
    CHECK(advantages(rewards, 1, 1e-4)[0].value == Approx(0.6 / (std::sqrt(0.3) + 1e-4)));
    CHECK(advantages(rewards, 1, 1e-4, false)[0].value == Approx(0.6));
    for (const double eps : {0.0, 1e-4, 1.0})
        for (const double same : {5.0, 0.1}) CHECK(advantages({same, same, same}, 0, eps)[1].value == 0);
    CHECK(advantages({3}, 1, 0)[0].value == 0);
    for (const std::size_t G : {2u, 5u, 16u}) { // one answer of G right
        std::vector<double> one(G, 0);
        one[0] = 1;
        CHECK(advantages(one, 0, 0)[0].value == Approx(std::sqrt(static_cast<double>(G) - 1)));
    }
}

TEST_CASE("grpo_hunt: a token's weight under lengths 3, 1, 2, 2, 0, 3 in each aggregation") {
    // Rewards 1, -1 in turn and no scale: terms of one sequence are all 1 or all -1 on-policy, others are masked out of
    // the sum by looking at the gradient's size, which is the weight times 1 - p.
    const std::vector<std::size_t> lengths{3, 1, 2, 2, 0, 3};
    for (std::int64_t how = 0; how < 3; ++how) {
        Inputs in;
        in.N = 6;
        in.group_size = 2;
        in.T = 4;
        in.V = 2;
        in.logits.assign(6 * 4 * 2, 0);
        in.tokens.assign(6 * 4, 0);
        for (const std::size_t length : lengths)
            for (std::size_t t = 0; t < 4; ++t) in.mask.push_back(t >= 1 && t <= length ? 1 : 0);
        in.rewards = {1, -1, 1, -1, 1, -1};
        in.scale = false;
        in.clip_low = in.clip_high = 0.2;
        in.limit = 10;
        in.how = how;
        in.longest = 9;
        const Stages out = run_right(in);
        const auto weight = [&](std::size_t n) { return 2 * std::fabs(out.logits_grad[n * 4 * 2].value); };
        CHECK(weight(0) == Approx(how == 0 ? 1.0 / 18 : how == 1 ? 1.0 / 11 : 1.0 / 54));
        CHECK(weight(1) == Approx(how == 0 ? 1.0 / 6 : how == 1 ? 1.0 / 11 : 1.0 / 54));
        CHECK(weight(4) == 0);
    }
}
