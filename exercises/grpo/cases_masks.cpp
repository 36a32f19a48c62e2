// Levels masks and kl.
#include "cases.hpp"

namespace assay::grpo_judge {

namespace {

/// Lengths 3, 1, 2 in a width of 4, aggregated in this way.
Change three_lengths(Aggregation how, const Change& further = {}) {
    return [=](Draft& d) {
        d.lengths({3, 1, 2});
        d.rule.how = how;
        d.rule.longest = 7;
        if (further) further(d);
    };
}

/// Tokens in the middle that a tool wrote.
void holes(Draft& d) {
    d.lengths({6, 4, 5});
    for (const std::size_t i : {d.at(0, 1), d.at(0, 2), d.at(1, 0), d.at(2, 3)}) d.in.mask[i] = 0;
}

} // namespace

std::vector<Case> masks_cases() {
    using enum Aggregation;
    std::vector<Case> cases;
    cases.push_back(loss_case("masks", "lengths-sequence-mean", "lengths 3, 1, 2 in a width of 4, sequence_mean", 3, 4,
                              three_lengths(sequence_mean)));
    cases.push_back(loss_case("masks", "lengths-token-mean", "lengths 3, 1, 2, token_mean: 6 tokens", 3, 4,
                              three_lengths(token_mean)));
    cases.push_back(loss_case("masks", "lengths-constant", "lengths 3, 1, 2, constant with longest 7: divided by 21", 3,
                              4, three_lengths(constant)));
    cases.push_back(
        loss_case("masks", "holes", "a mask with holes: output of a tool in the middle of a completion", 3, 6, holes));
    cases.push_back(loss_case(
        "masks", "holes-token-mean", "holes, token_mean", 3, 6,
        [](Draft& d) {
            holes(d);
            d.rule.how = token_mean;
        },
        "holes count in no denominator"));
    cases.push_back(loss_case("masks", "padding-nan", "NaN under the mask, in lp_new and lp_old", 3, 4,
                              three_lengths(sequence_mean, [](Draft& d) { d.poison(not_a_number); })));
    cases.push_back(loss_case("masks", "padding-infinite", "-infinity under the mask: its differences are NaN", 3, 4,
                              three_lengths(token_mean, [](Draft& d) { d.poison(-unbounded); }),
                              "what log of a probability of 0 leaves there"));
    cases.push_back(loss_case("masks", "padding-on-policy", "NaN under the mask, lp_old absent, constant", 3, 4,
                              three_lengths(constant,
                                            [](Draft& d) {
                                                d.in.lp_old.clear();
                                                d.poison(not_a_number);
                                            }),
                              "the three together"));
    cases.push_back(loss_case(
        "masks", "lone-token", "one token in the middle of a batch of three positions, token_mean", 1, 3,
        [](Draft& d) {
            d.in.mask = {0, 1, 0};
            d.rule.how = token_mean;
        },
        "a denominator of 1: a guard against 0 may not reach it"));
    cases.push_back(loss_case(
        "masks", "many-lengths", "8 sequences of 3 to 24 tokens", 8, 24,
        [](Draft& d) {
            d.lengths({24, 3, 7, 19, 12, 5, 23, 16});
        },
        "sums long enough for rounding to show"));
    return cases;
}

std::vector<Case> kl_cases() {
    using enum Aggregation;
    std::vector<Case> cases;
    cases.push_back(loss_case("kl", "kl-one-token", "one token on-policy, lp_ref above lp_new by 1/2, beta 0.5", 1, 1,
                              [](Draft& d) {
                                  d.in.lp_new = {-2};
                                  d.in.lp_old.clear();
                                  d.in.lp_ref = {-1.5};
                                  d.rule.beta = 0.5;
                              }));
    cases.push_back(loss_case(
        "kl", "kl-both-signs", "lp_ref above and below lp_new, beta 0.25", 2, 4,
        [](Draft& d) {
            d.with_reference(0.25);
            for (std::size_t i = 0; i < d.in.lp_ref.size(); ++i)
                d.in.lp_ref[i] = d.in.lp_new[i] + (i % 2 == 0 && d.in.lp_new[i] < -1 ? 0.75 : -0.5);
        },
        "k3 is positive on both sides"));
    cases.push_back(loss_case("kl", "kl-masked", "lengths 3, 1, 2 with plain numbers under the mask", 3, 4,
                              three_lengths(sequence_mean, [](Draft& d) { d.with_reference(0.3); })));
    cases.push_back(loss_case("kl", "kl-padding-nan", "NaN under the mask, in lp_ref too", 3, 4,
                              three_lengths(token_mean,
                                            [](Draft& d) {
                                                d.with_reference(0.3);
                                                d.poison(not_a_number);
                                            }),
                              "the KL is selected as well, never multiplied"));
    cases.push_back(loss_case("kl", "kl-constant", "constant with longest 7, beta 0.04", 3, 4,
                              three_lengths(constant, [](Draft& d) { d.with_reference(0.04); }),
                              "the KL is part of the term, and aggregated with it"));
    cases.push_back(loss_case(
        "kl", "kl-no-reference", "beta 0.3 and no lp_ref: no KL", 2, 3, [](Draft& d) { d.rule.beta = 0.3; },
        "an absent tensor is never read"));
    cases.push_back(loss_case(
        "kl", "kl-same", "lp_ref equal to lp_new: the KL is 0", 2, 3,
        [](Draft& d) {
            d.with_reference(0.5);
            d.in.lp_ref = d.in.lp_new;
            d.in.lp_old.clear();
        },
        "training begins here"));
    cases.push_back(loss_case(
        "kl", "kl-near", "lp_ref a millionth from lp_new: k3 cancels to 5e-13", 2, 3,
        [](Draft& d) {
            d.with_reference(0.5);
            for (std::size_t i = 0; i < d.in.lp_ref.size(); ++i) d.in.lp_ref[i] = d.in.lp_new[i] - 0x1p-20;
        },
        "what is left is rounding, and the bound allows it"));
    return cases;
}

} // namespace assay::grpo_judge
