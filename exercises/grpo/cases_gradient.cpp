// Level gradient: terms, loss and d loss / d lp_new.
#include "cases.hpp"

#include <cmath>

namespace assay::grpo_judge {

std::vector<Case> gradient_cases() {
    using enum Aggregation;
    std::vector<Case> cases;
    cases.push_back(loss_case("gradient", "grad-one-token", "one token, not clipped: the gradient is - ratio A", 1, 1,
                              [](Draft& d) { d.log_ratio(0, 0, std::log(1.1)); }));
    cases.push_back(loss_case("gradient", "grad-on-policy",
                              "lp_old absent: ratio 1, loss 0 (advantages sum to 0), and a live gradient", 4, 3,
                              [](Draft& d) {
                                  d.in.lp_old.clear();
                                  d.in.advantage = {1.5, -0.5, -1.5, 0.5};
                              }));
    cases.push_back(loss_case(
        "gradient", "grad-five-ratios",
        "ratios 0.5, 0.79, 1, 1.21, 2, both signs of A: 0 where clipped, alive elsewhere", 2, 5,
        [](Draft& d) {
            d.in.advantage = {1.5, -0.75};
            for (std::size_t n = 0; n < 2; ++n) {
                std::size_t t = 0;
                for (const double ratio : {0.5, 0.79, 1.0, 1.21, 2.0}) d.log_ratio(n, t++, std::log(ratio));
            }
        },
        "which tokens learn"));
    cases.push_back(loss_case(
        "gradient", "grad-masked", "lengths 3, 1, 2 with NaN under the mask: gradient 0 there", 3, 4,
        [](Draft& d) {
            d.lengths({3, 1, 2});
            d.poison(not_a_number);
        },
        "a NaN that is not selected leaves no trace"));
    cases.push_back(loss_case(
        "gradient", "grad-token-mean", "lengths 2, 0, 3, token_mean", 3, 4,
        [](Draft& d) {
            d.lengths({2, 0, 3});
            d.rule.how = token_mean;
        },
        "the weight of a token in the gradient"));
    cases.push_back(loss_case(
        "gradient", "grad-constant", "lengths 2, 0, 3, constant with longest 7", 3, 4,
        [](Draft& d) {
            d.lengths({2, 0, 3});
            d.rule.how = constant;
            d.rule.longest = 7;
        },
        "the weight of a token in the gradient"));
    cases.push_back(loss_case("gradient", "grad-kl", "with KL, off-policy: beta (e^d - 1) more, also where clipped", 3,
                              4, [](Draft& d) { d.with_reference(0.3); }));
    cases.push_back(loss_case(
        "gradient", "grad-kl-on-policy", "with KL, lp_old absent, lengths 3, 1, 2", 3, 4,
        [](Draft& d) {
            d.lengths({3, 1, 2});
            d.in.lp_old.clear();
            d.with_reference(0.2);
        },
        "the step that training starts with"));
    cases.push_back(loss_case(
        "gradient", "grad-far", "log-ratios beyond the limit: clamp lets no gradient through", 2, 3,
        [](Draft& d) {
            d.with_reference(0.1);
            d.log_ratio(1, 0, 30);
            d.in.lp_ref[d.at(1, 0)] = d.in.lp_new[d.at(1, 0)] - 25;
            d.in.lp_ref[d.at(0, 1)] = d.in.lp_new[d.at(0, 1)] - 40;
        },
        "no overflow, and no push either"));
    cases.push_back(loss_case(
        "gradient", "grad-no-token", "nothing but padding: gradient 0", 2, 2,
        [](Draft& d) {
            d.lengths({0, 0});
            d.poison(not_a_number);
        },
        "a loss of 0 has to be a constant"));
    return cases;
}

} // namespace assay::grpo_judge
