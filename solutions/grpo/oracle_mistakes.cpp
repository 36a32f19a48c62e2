// The mistakes that the oracle can make, level by level. Each sentence completes "which is what you get by ...".
#include "oracle.hpp"

namespace assay::grpo_judge {

std::vector<Mistake> mistakes() {
    const std::string one = "advantages", two = "ratio", three = "masks", four = "kl", five = "degenerate",
                      six = "gradient";
    return {
        // advantages
        {"batch-normalised",
         "normalising over the whole batch, where each prompt's group has a mean and deviation of its own",
         {one, one}, // mean and deviation; deviation alone
         {}},
        {"groups-interleaved",
         "taking every (N/G)-th sequence for a group: answers to one prompt lie one after the other",
         {one},
         {}},
        {"variance-for-std", "dividing by the variance, without its root", {one}, {}},
        {"eps-inside-root", "adding eps to the variance, inside the root", {one}, {}},
        {"eps-missing", "leaving eps out", {one}, {}},
        {"eps-hardcoded", "adding an eps of your own (1e-4, 1e-6 or 1e-8) in place of the rule's", {one, one, one}, {}},
        {"biased-variance", "dividing the variance by G whatever ddof says", {one}, {}},
        {"unbiased-variance", "dividing the variance by G - 1 whatever ddof says", {one}, {}},
        {"scale-ignored", "dividing by the deviation where the rule says not to scale (Dr. GRPO)", {one}, {}},
        {"never-scaled", "giving reward - mean where the rule says to divide by the deviation", {one}, {}},
        {"mean-not-subtracted",
         "keeping the group's mean in the advantage",
         {one, one}, // always; where nothing is scaled
         {}},
        {"leave-one-out", "subtracting the mean of the other answers (RLOO) and not of all G", {one}, {}},

        // ratio
        {"ratio-from-reference",
         "building the ratio from the reference's log-probabilities, not from those of the policy that sampled",
         {two},
         {}},
        {"exp-missing", "taking the difference of log-probabilities for the ratio, without exp", {two}, {}},
        {"ratio-inverted", "dividing the old policy's probability by the new one's", {two}, {}},
        {"old-ignored", "using lp_new, detached, where lp_old is given", {two}, {}},
        {"policy-gradient",
         "multiplying the advantage by the log-probability (REINFORCE), not by the ratio",
         {two},
         {}},
        {"clip-with-max", "taking the larger of the clipped and unclipped terms", {two}, {}},
        {"min-before-advantage",
         "taking the min of the two ratios and multiplying by A afterwards, which turns round where A < 0",
         {two},
         {}},
        {"min-forgotten", "taking the clipped term alone, without the min", {two}, {}},
        {"never-clipped", "taking the unclipped term alone", {two}, {}},
        {"one-sided-clip",
         "clipping on one side: above 1 + clip_high or below 1 - clip_low, not both",
         {two, two}, // above; below
         {}},
        {"clip-widths-swapped", "swapping the two widths: [1 - clip_high, 1 + clip_low]", {two}, {}},
        {"one-width",
         "using one width on both sides of the clip",
         {two, two}, // clip_low; clip_high
         {}},
        {"log-clipped", "clipping the log-ratio to [-clip_low, clip_high], not the ratio around 1", {two}, {}},
        {"sequence-ratio",
         "giving all tokens of a sequence one ratio (GSPO), the exponential of the mean log-ratio or a mean of ratios",
         {two, two},
         {}},
        {"mean-before-min", "taking the min once a sequence, of the two sums, and not once a token", {two}, {}},
        {"sign",
         "losing the minus: the objective is maximised, so the loss is minus its aggregate",
         {two, two}, // of the loss; of the terms
         {}},
        {"sum-for-mean",
         "adding up where a mean is due",
         {two, two}, // over tokens; over sequences too
         {}},
        {"denominator-epsilon",
         "adding an epsilon to a number of tokens: the count is exact, and 0 is a case of its own",
         {two, two}, // 1e-8, 1e-6
         {}},

        // masks
        {"padding-unmasked", "counting every position as a token, padding too", {three}, {}},
        {"mask-inverted", "reading the mask the wrong way round: true is a token that counts", {three}, {}},
        {"mask-multiplied",
         "multiplying by the mask: 0 times NaN is NaN, so masked positions have to be left out by a selection",
         {three},
         {}},
        {"mask-as-prefix",
         "taking the mask for a length (as many positions as it has tokens, or all up to the last one): it may have "
         "holes",
         {three, three},
         {}},
        {"denominators-count-padding",
         "dividing by all positions, padding too, where tokens are to be counted",
         {three},
         {}},
        {"token-mean-for-sequence-mean",
         "taking the mean over all tokens for sequence_mean, so that long sequences weigh more",
         {three},
         {}},
        {"sequence-mean-for-token-mean", "taking the mean of sequence means for token_mean", {three}, {}},
        {"constant-as-own-length",
         "dividing each sequence by its own length for `constant`, whose divisor is the same for all",
         {three},
         {}},
        {"constant-as-token-mean", "dividing by the number of tokens for `constant`", {three}, {}},
        {"constant-as-width", "dividing by the width T of the tensors for `constant`, not by `longest`", {three}, {}},
        {"constant-as-longest-here",
         "dividing by the longest completion of this batch for `constant`, not by `longest`",
         {three},
         {}},
        {"constant-without-sequences", "dividing by `longest` alone for `constant`, without N", {three}, {}},

        // kl
        {"kl-forgotten", "leaving the KL term out", {four}, {}},
        {"kl-sign", "rewarding the distance from the reference: beta k3 is subtracted from the objective", {four}, {}},
        {"k1-for-k3", "estimating the KL by k1 = lp_new - lp_ref", {four}, {}},
        {"k2-for-k3", "estimating the KL by k2 = (lp_ref - lp_new)^2 / 2", {four}, {}},
        {"k3-without-one", "leaving the - 1 out of k3, which is 0 where the policies agree", {four}, {}},
        {"k3-without-d", "leaving - (lp_ref - lp_new) out of k3", {four}, {}},
        {"kl-swapped", "swapping lp_ref and lp_new in k3", {four}, {}},
        {"kl-from-old", "measuring the KL from lp_old, not from lp_ref", {four}, {}},
        {"kl-outside-mask",
         "adding the KL outside the mask: in masked positions, or as a mean over all N T positions",
         {four, four},
         {}},
        {"beta-ignored", "weighing the KL by 1, not by beta", {four}, {}},

        // degenerate groups and numbers
        {"zero-spread-unguarded",
         "dividing 0 by 0 (or a rounding error by a rounding error) where a group's rewards are all equal",
         {five},
         {}},
        {"zero-spread-by-std",
         "testing a computed deviation for 0: three times 0.1 has the mean 0.10000000000000002. Compare max and min",
         {five},
         {}},
        {"singleton-keeps-reward", "giving a group of one its reward (as with mean 0 and deviation 1)", {five}, {}},
        {"empty-sequence-not-counted", "leaving a sequence without tokens out of the number of sequences", {five}, {}},
        {"empty-sequence-nan", "dividing 0 by 0 in a sequence without tokens", {five}, {}},
        {"no-token-nan", "dividing 0 by 0 in a batch without tokens", {five}, {}},
        {"clamp-forgotten",
         "taking exp of a log-ratio without clamping it to +- log_ratio_limit",
         {five, five, five}, // of the ratio; of the KL; of both
         {}},
        {"quotient-of-probabilities",
         "dividing exp(lp_new) by exp(lp_old), which is 0 / 0 for improbable tokens",
         {five, five}, // and no clamp; clamped afterwards
         {}},
        {"beta-zero-multiplied",
         "multiplying a KL by beta = 0, where lp_ref is not to be read: 0 times NaN is NaN",
         {five},
         {}},

        // gradient
        {"old-not-detached",
         "taking lp_new itself for an absent lp_old: without a detach() the ratio's gradient cancels to 0",
         {six},
         {}},
        {"ratio-detached", "cutting the gradient at the ratio: a value() or detach() too many", {six}, {}},
        {"gradient-lost", "returning a loss without any gradient, as from value()s", {six}, {}},
        {"clip-detached",
         "clipping a value() or detached ratio: where the two terms are equal, min sends half of the gradient into it",
         {six},
         {}},
        {"kl-detached", "cutting the gradient of the KL term, as if it were part of the reward", {six}, {}},
    };
}

} // namespace assay::grpo_judge
