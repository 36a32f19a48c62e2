// Level ratio: equal lengths, no mask, no KL.
#include "cases.hpp"

#include <cmath>

namespace assay::grpo_judge {

namespace {

/// Ratios 0.5, 0.79, 1, 1.21 and 2 in every sequence.
void five_ratios(Draft& d) {
    for (std::size_t n = 0; n < d.in.N; ++n) {
        std::size_t t = 0;
        for (const double ratio : {0.5, 0.79, 1.0, 1.21, 2.0}) d.log_ratio(n, t++, std::log(ratio));
    }
}

} // namespace

std::vector<Case> ratio_cases() {
    std::vector<Case> cases;
    cases.push_back(loss_case("ratio", "one-token", "one token with ratio 1.1 and advantage 2: the term is 2.2", 1, 1,
                              [](Draft& d) {
                                  d.log_ratio(0, 0, std::log(1.1));
                                  d.in.advantage = {2};
                              }));
    cases.push_back(loss_case("ratio", "five-ratios", "ratios 0.5, 0.79, 1, 1.21 and 2, with A > 0 and with A < 0", 2,
                              5, [](Draft& d) {
                                  d.in.advantage = {1.5, -0.75};
                                  five_ratios(d);
                              }));
    cases.push_back(loss_case("ratio", "clip-higher", "clip widths 0.2 and 0.28 (DAPO), ratios on both sides of both",
                              2, 6, [](Draft& d) {
                                  d.rule.clip_high = 0.28;
                                  for (std::size_t n = 0; n < 2; ++n) {
                                      std::size_t t = 0;
                                      for (const double ratio : {0.6, 0.75, 0.9, 1.1, 1.25, 1.4})
                                          d.log_ratio(n, t++, std::log(ratio));
                                  }
                              }));
    cases.push_back(loss_case("ratio", "reference-given", "lp_ref is there, but beta is 0: it has no part in the loss",
                              3, 4, [](Draft& d) { d.with_reference(0); }));
    cases.push_back(loss_case(
        "ratio", "on-policy", "lp_old absent: every ratio is 1, and a term is the advantage", 3, 4,
        [](Draft& d) { d.in.lp_old.clear(); }, "the first step after sampling"));
    cases.push_back(loss_case(
        "ratio", "token-mean", "token_mean: with equal lengths the same as sequence_mean", 3, 5,
        [](Draft& d) { d.rule.how = Aggregation::token_mean; }, "nothing is masked yet, so the two agree"));
    cases.push_back(loss_case(
        "ratio", "wide-low", "clip widths 0.5 and 0.1", 4, 6,
        [](Draft& d) {
            d.rule.clip_low = 0.5;
            d.rule.clip_high = 0.1;
        },
        "the lower side is the wide one"));
    cases.push_back(loss_case(
        "ratio", "advantage-zero", "an advantage of 0 among others", 4, 3, [](Draft& d) { d.in.advantage[1] = 0; },
        "its terms are 0, and it counts in the means"));
    cases.push_back(loss_case("ratio", "many-tokens", "8 sequences of 32 tokens", 8, 32, {},
                              "sums long enough for rounding to show"));
    return cases;
}

} // namespace assay::grpo_judge
