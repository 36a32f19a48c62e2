// Cases of the loss: masking and aggregation, KL, gradient.
#include "cases.hpp"

#include <cmath>

namespace assay::grpo_hunt_judge {

namespace {

/// Two groups with completions of 3, 1, 2 and 2, 0, 3 tokens after prompts of two.
constexpr Shape six{6, 7, 5, 3};
void lengths_of_six(Draft& d) {
    d.set_lengths({3, 1, 2, 2, 0, 3}, 2);
    d.set_ratios({0.85, 1.5, 0.6, 1.1, 1.9, 0.7});
}

} // namespace

std::vector<Case> masking_cases() {
    const std::string route = "masking";
    std::vector<Case> cases;
    cases.push_back(make_case(route, "sequence-mean", "completions of 3, 1, 2 and 2, 0, 3 tokens, mean of means (GRPO)",
                              six, lengths_of_six));
    cases.push_back(make_case(
        route, "token-mean", "the same lengths, every token alike (DAPO)", six,
        [](Draft& d) {
            lengths_of_six(d);
            d.how = 1;
        },
        "a wrong token mean passes the case before it"));
    cases.push_back(
        make_case(route, "constant", "the same lengths, divided by N * longest (Dr. GRPO)", six, [](Draft& d) {
            lengths_of_six(d);
            d.how = 2;
            d.longest = 13; // 11 is the number of tokens
        }));
    cases.push_back(make_case(
        route, "holes", "tool output in the middle of a completion does not count", {2, 8, 4, 2},
        [](Draft& d) {
            d.set_ratios({1.1, 0.6, 1.4, 0.9, 1.3, 0.5, 0.95});
            d.mask.set(Index{0, 3}, 0);
            d.mask.set(Index{0, 4}, 0);
            d.mask.set(Index{1, 1}, 0);
            d.mask.set(Index{1, 6}, 0);
        },
        "a completion taken for one stretch from its first token to its last passes the lengths above"));
    cases.push_back(make_case(route, "masked-nan", "lp_old is NaN where the mask is false", six, [](Draft& d) {
        lengths_of_six(d);
        d.how = 1;
        Draft::spoil(d.lp_old, d.mask);
    }));
    cases.push_back(
        make_case(route, "nothing-counts", "no token of the batch counts: the loss is 0", {2, 4, 3, 2}, [](Draft& d) {
            d.set_lengths({0}, 2);
            d.how = 1;
        }));
    cases.push_back(make_case(
        route, "prompt-alone", "rows of one token: there is nothing to predict", {2, 1, 3, 2},
        [](Draft& d) { d.how = 1; }, "the smallest T; padding cannot be counted here"));
    cases.push_back(make_case(
        route, "all-empty", "no token of the batch counts, mean of means", {2, 4, 3, 2},
        [](Draft& d) { d.set_lengths({0}, 1); }, "each aggregation has a denominator of its own"));
    return cases;
}

std::vector<Case> kl_cases() {
    const std::string route = "kl";
    const std::vector<double> near{0.5, -0.8, 0.25, -0.3, 1.1, -1.4};
    std::vector<Case> cases;
    cases.push_back(make_case(route, "kl", "beta 0.3, with prompt and padding", six, [near](Draft& d) {
        lengths_of_six(d);
        d.beta = 0.3;
        d.set_ref(near);
    }));
    cases.push_back(
        make_case(route, "kl-limit", "differences of 3 and -3 beyond a limit of 1.25", {2, 6, 4, 2}, [](Draft& d) {
            d.beta = 0.2;
            d.limit = 1.25;
            d.set_ratios({0.7, 1.5, 1.05, 0.9, 1.1});
            d.set_ref({3, -3, 0.4, -0.6, 1.0});
        }));
    cases.push_back(make_case(
        route, "kl-flat", "a group without advantage still has its KL term", {4, 5, 4, 2},
        [near](Draft& d) {
            d.set_rewards({1, 1, 0, 3});
            d.eps = 0;
            d.beta = 1.5;
            d.how = 1;
            d.set_ratios({0.9, 1.3, 0.6, 1.1});
            d.set_ref(near);
        },
        "skipping the group as a whole loses it"));
    cases.push_back(make_case(
        route, "kl-masked-nan", "lp_ref is NaN where the mask is false", six,
        [near](Draft& d) {
            lengths_of_six(d);
            d.how = 2;
            d.beta = 0.4;
            d.set_ref(near);
            Draft::spoil(d.lp_ref, d.mask);
            Draft::spoil(d.lp_old, d.mask);
        },
        "a KL term multiplied by the mask passes the other cases"));
    return cases;
}

std::vector<Case> gradient_cases() {
    const std::string route = "gradient";
    std::vector<Case> cases;
    cases.push_back(
        make_case(route, "gradient-on-policy", "every ratio is 1, and yet has a gradient", six, [](Draft& d) {
            d.set_lengths({3, 1, 2, 2, 0, 3}, 2);
        }));
    cases.push_back(
        make_case(route, "gradient-kl", "on-policy with a KL term, at temperature 0.7", {4, 5, 5, 2}, [](Draft& d) {
            d.temperature = 0.7;
            d.set_lengths({3, 2, 4, 1}, 1);
            d.beta = 0.6;
            d.how = 1;
            d.set_ref({0.5, -0.8, 0.25, -0.3});
        }));
    cases.push_back(make_case(
        route, "gradient-clipped", "no gradient where the clipped side is taken, a live one on the other", {4, 6, 4, 2},
        [](Draft& d) {
            d.set_ratios({0.5, 0.79, 1, 1.21, 2});
            d.how = 2;
        },
        "a loss may be right while its gradient flows through the clip"));
    cases.push_back(make_case(
        route, "gradient-limits", "no gradient from beyond the limit, in the ratio and in KL", {2, 6, 4, 2},
        [](Draft& d) {
            d.limit = 1.5;
            d.beta = 0.2;
            d.set_ratios({std::exp(2.0), std::exp(-2.0), 1.1, 0.9, std::exp(-3.0)});
            d.set_ref({-2, 0.4, 2, -0.5, 3});
        },
        "a limit put on with a comparison may leave the gradient alive"));
    return cases;
}

} // namespace assay::grpo_hunt_judge
