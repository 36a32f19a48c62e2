// Cases of the stages before the loss: log-probs, advantages, ratio and clip.
#include "cases.hpp"

#include <cmath>

namespace assay::grpo_hunt_judge {

namespace {

/// Adds `by` to every logit.
void shift(Draft& d, double by) {
    d.logits = Array::generate(Dtype::f64, d.logits.extents, [&](const Index& at) { return d.logits.at(at) + by; });
}

} // namespace

std::vector<Case> log_prob_cases() {
    const std::string route = "log-probs";
    std::vector<Case> cases;
    cases.push_back(make_case(route, "alignment", "which logits predict which token, at temperature 1", {2, 5, 6, 2},
                              [](Draft&) {}));
    cases.push_back(make_case(route, "temperature", "tokens sampled at temperature 0.7", {2, 4, 5, 1},
                              [](Draft& d) { d.temperature = 0.7; }));
    cases.push_back(make_case(route, "far-below-zero", "logits near -1000: no exponential of them is above 0",
                              {1, 4, 3, 1}, [](Draft& d) { shift(d, -1000); }));
    cases.push_back(make_case(
        route, "far-above-zero", "logits near 500 at temperature 0.5: exp(1000) is infinite", {1, 4, 3, 1},
        [](Draft& d) {
            shift(d, 500);
            d.temperature = 0.5;
        },
        "exponentials of logits without their largest taken off pass every other case"));
    cases.push_back(make_case(
        route, "masked-too", "log-probs are due where the mask is false too, and 0 at t = 0", {2, 6, 4, 2},
        [](Draft& d) {
            d.set_lengths({2, 0}, 2);
        },
        "the other cases of this level have no prompt or padding"));
    return cases;
}

std::vector<Case> advantage_cases() {
    const std::string route = "advantages";
    std::vector<Case> cases;
    cases.push_back(
        make_case(route, "one-group", "four answers to one prompt, with eps 0.1", {4, 2, 2, 4}, [](Draft& d) {
            d.set_rewards({3, 1, 0, 1.5});
        }));
    cases.push_back(make_case(route, "sample-deviation", "divided by group_size - 1, with eps 1e-4, as TRL does",
                              {5, 2, 2, 5}, [](Draft& d) {
                                  d.set_rewards({1, 0, 0, 1, 0});
                                  d.ddof = 1;
                                  d.eps = 1e-4;
                              }));
    cases.push_back(make_case(route, "two-groups", "two prompts with three answers each, unlike in mean and spread",
                              {6, 2, 2, 3}, [](Draft& d) {
                                  d.set_rewards({1, 0, 0, 2, 5, 9});
                              }));
    cases.push_back(
        make_case(route, "not-scaled", "reward less mean, divided by nothing (Dr. GRPO)", {4, 2, 2, 2}, [](Draft& d) {
            d.set_rewards({4, 1, -2, 0});
            d.scale = false;
        }));
    cases.push_back(make_case(route, "flat-group", "rewards 5, 5, 5 with eps 0, beside a group that differs",
                              {6, 2, 2, 3}, [](Draft& d) {
                                  d.set_rewards({5, 5, 5, 1, 0, 3});
                                  d.eps = 0;
                              }));
    cases.push_back(make_case(
        route, "flat-batch", "a batch of one group with rewards 5, 5, 5 and eps 0", {3, 2, 2, 3},
        [](Draft& d) {
            d.set_rewards({5, 5, 5});
            d.eps = 0;
        },
        "parts statistics of the batch from statistics of the batch that also divide 0 by 0"));
    cases.push_back(make_case(
        route, "singletons", "groups of one, with ddof 1 and eps 0", {3, 2, 2, 1},
        [](Draft& d) {
            d.set_rewards({2, -1, 0});
            d.ddof = 1;
            d.eps = 0;
        },
        "the smallest group: a guard may look at the spread and not at group_size - ddof"));
    return cases;
}

std::vector<Case> ratio_cases() {
    const std::string route = "ratio";
    std::vector<Case> cases;
    cases.push_back(make_case(route, "ratios", "ratios 0.5, 0.79, 1, 1.21, 2 with both signs of the advantage",
                              {2, 6, 4, 2}, [](Draft& d) {
                                  d.set_ratios({0.5, 0.79, 1, 1.21, 2});
                                  d.set_ref({0.6, -0.4, -0.1, 0.3, -0.9}); // beta is 0: it is there, and not read
                              }));
    cases.push_back(make_case(route, "clip-widths", "0.2 below and 0.28 above, with ratios between the two widths",
                              {2, 6, 4, 2}, [](Draft& d) {
                                  d.clip_high = 0.28;
                                  d.set_ratios({0.75, 1.24, 0.9, 1.35, 1.1});
                                  d.set_ref({-0.22, 0.28, 0.05, -0.3, 0.1}); // ratios between the widths from it too
                              }));
    cases.push_back(
        make_case(route, "log-ratio-limit", "log-ratios of 3 and -3 beyond a limit of 1.5", {2, 5, 4, 2}, [](Draft& d) {
            d.limit = 1.5;
            d.set_ratios({std::exp(3.0), std::exp(-3.0), 1.3, 0.7});
        }));
    cases.push_back(make_case(
        route, "limit-within-clip", "a limit of 0.6, narrower than a clip to [0.3, 2.5]", {2, 5, 4, 2},
        [](Draft& d) {
            d.limit = 0.6;
            d.clip_low = 0.7;
            d.clip_high = 1.5;
            d.set_ratios({4.5, 0.2, 1.3, 0.7});
        },
        "parts a limit that is missing from one that the clip hides"));
    cases.push_back(make_case(route, "second-group", "the advantages of two groups, each at its own sequences",
                              {4, 4, 4, 2}, [](Draft& d) {
                                  d.set_rewards({2, 0, -1, 7});
                                  d.temperature = 1.6;
                                  d.set_ratios({1.4, 0.6, 1.05});
                              }));
    cases.push_back(make_case(
        route, "on-policy", "lp_old is absent: every ratio is 1", {3, 4, 4, 3}, [](Draft&) {},
        "the first step after sampling, in values alone"));
    return cases;
}

} // namespace assay::grpo_hunt_judge
