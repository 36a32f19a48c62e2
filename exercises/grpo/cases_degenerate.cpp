// Level degenerate: groups without spread, sequences without tokens, log-ratios beyond exp.
#include "cases.hpp"

namespace assay::grpo_judge {

namespace {

/// Differences of 1000 in both directions, with both signs of A.
void far_apart(Draft& d) {
    for (std::size_t n = 0; n < d.in.N; ++n) {
        d.log_ratio(n, 0, 1000);
        d.log_ratio(n, 1, -1000);
        d.in.lp_old[d.at(n, 1)] = -1;
        d.in.lp_new[d.at(n, 1)] = -1001;
    }
}

} // namespace

std::vector<Case> degenerate_cases() {
    using enum Aggregation;
    std::vector<Case> cases;
    cases.push_back(advantages_case("groups", "equal-rewards",
                                    "rewards 5, 5, 5 beside another group, eps 0: 0, not 0/0", {5, 5, 5, 1, 2, 4},
                                    {3, 0, 0, true}));
    cases.push_back(advantages_case("groups", "equal-tenths",
                                    "rewards 0.1, 0.1, 0.1, eps 0: their mean is rounded, and so is a deviation",
                                    {0.1, 0.1, 0.1, 1, 2, 4}, {3, 1, 0, true}));
    cases.push_back(advantages_case("groups", "equal-with-eps",
                                    "rewards 0.1, 0.1, 0.1 with eps 1e-4: 0 by the formula as well",
                                    {0.1, 0.1, 0.1, 1, 2, 4}, {3, 1, 1e-4, true}, "where most code has its guard"));
    cases.push_back(advantages_case("groups", "equal-unscaled", "equal rewards, not scaled", {2, 2, 0, 1},
                                    {2, 0, 0, false}, "reward - mean is 0 by itself"));
    cases.push_back(advantages_case("groups", "singletons", "G = 1, ddof 1: G - ddof is 0, and so is the advantage",
                                    {3, -1, 0.5}, {1, 1, 1e-4, true}));
    cases.push_back(advantages_case("groups", "singletons-biased", "G = 1, ddof 0, eps 0", {3, -1}, {1, 0, 0, true},
                                    "0/0 by another way"));
    for (const auto& [how, name] :
         {std::pair{sequence_mean, "sequence-mean"}, {token_mean, "token-mean"}, {constant, "constant"}})
        cases.push_back(loss_case(
            "loss", std::string("empty-") + name, "lengths 2, 0, 3: an empty completion is 0, and counts", 3, 4,
            [how = how](Draft& d) {
                d.lengths({2, 0, 3});
                d.rule.how = how;
            },
            how == sequence_mean ? "" : "the empty sequence in the other two aggregations"));
    for (const auto& [how, name] : {std::pair{token_mean, "token-mean"}, {sequence_mean, "sequence-mean"}})
        cases.push_back(loss_case(
            "loss", std::string("no-token-") + name, "nothing but padding: the loss is 0", 2, 3,
            [how = how](Draft& d) {
                d.lengths({0, 0});
                d.poison(not_a_number);
                d.rule.how = how;
            },
            how == token_mean ? "" : "the same for sequence_mean"));
    cases.push_back(
        loss_case("loss", "far-apart", "log-ratios of 1000 and -1000: clamped to 20 before exp", 2, 3, far_apart));
    cases.push_back(loss_case(
        "loss", "beyond-limit", "log-ratios of 6, 4 and -6 with a limit of 5, A < 0", 1, 3,
        [](Draft& d) {
            d.in.advantage = {-1.5};
            d.rule.log_ratio_limit = 5;
            for (const auto& [t, r] : {std::pair{0, 6.0}, {1, 4.0}, {2, -6.0}})
                d.log_ratio(0, static_cast<std::size_t>(t), r);
        },
        "the limit is an argument, and no infinity tells"));
    cases.push_back(loss_case("loss", "improbable",
                              "log-probabilities near -800: exp of either is 0, their ratio is not", 2, 3,
                              [](Draft& d) {
                                  for (std::size_t i : {d.at(0, 0), d.at(1, 2)}) {
                                      d.in.lp_new[i] -= 800;
                                      d.in.lp_old[i] -= 800;
                                  }
                              }));
    cases.push_back(loss_case("loss", "far-reference", "lp_ref 900 above and 900 below lp_new: k3 is clamped too", 2, 3,
                              [](Draft& d) {
                                  d.with_reference(0.1);
                                  d.in.lp_new[0] = d.in.lp_old[0] = -901;
                                  d.in.lp_ref[0] = -1;
                                  d.in.lp_ref[4] = -905;
                              }));
    cases.push_back(loss_case(
        "loss", "near-reference-limit", "lp_ref 7 and 5 above, 7 below lp_new, limit 6", 1, 3,
        [](Draft& d) {
            d.with_reference(0.5);
            d.rule.log_ratio_limit = 6;
            d.in.lp_new = d.in.lp_old = {-8, -8, -2};
            d.in.lp_ref = {-1, -3, -9};
        },
        "without any infinity"));
    cases.push_back(
        loss_case("loss", "beta-zero", "beta 0 and an lp_ref full of NaN: it is not read", 2, 3, [](Draft& d) {
            d.with_reference(0);
            for (std::size_t i : {0u, 2u, 4u}) d.in.lp_ref[i] = not_a_number;
        }));
    return cases;
}

} // namespace assay::grpo_judge
