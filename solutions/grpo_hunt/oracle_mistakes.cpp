#include "oracle_mistakes.hpp"
#include "oracle.hpp"

namespace assay::grpo_hunt_judge {

const std::vector<KnownBug>& known_bugs() {
    static const std::vector<KnownBug> bugs{
        // from logits to log-probs
        {"logits-shifted", "log-probs shifted by one: token t read from the logits at t instead of those at t - 1",
         "log-probs", "alignment"},
        {"token-shifted",
         "log-probs shifted by one: the logits at t - 1 asked for token t - 1 instead of the one that follows",
         "log-probs", "alignment"},
        {"temperature-ignored", "log-probs of the raw logits, the temperature ignored", "log-probs", "temperature"},
        {"temperature-multiplied", "logits multiplied by the temperature instead of divided", "log-probs",
         "temperature"},
        {"max-from-zero",
         "a largest logit that is sought from 0 on instead of from -infinity, so that logits far below 0 underflow",
         "log-probs", "far-below-zero"},
        // advantages
        {"variance-not-root", "rewards divided by the variance + eps instead of by its root + eps", "advantages",
         "one-group"},
        {"eps-inside-root", "eps under the root: sqrt(variance + eps) instead of sqrt(variance) + eps", "advantages",
         "one-group"},
        {"eps-missing", "advantages without eps", "advantages", "one-group"},
        {"ddof-always-one", "a variance divided by group_size - 1 whatever ddof says", "advantages", "one-group"},
        {"ddof-ignored", "a variance divided by group_size whatever ddof says", "advantages", "sample-deviation"},
        {"baseline-without-self",
         "each reward less the mean of the other answers' (leave one out) instead of the group's mean", "advantages",
         "one-group"},
        {"groups-interleaved", "groups interleaved: every (N / group_size)-th sequence instead of neighbours",
         "advantages", "two-groups"},
        {"batch-statistics", "mean and deviation of the whole batch instead of the group", "advantages", "two-groups"},
        {"scale-ignored", "advantages divided by the deviation although scale is false", "advantages", "not-scaled"},
        {"singleton-alone-guarded", "a guard for groups of one alone: equal rewards give 0 / 0 where eps is 0",
         "advantages", "flat-group"},
        // ratio and clip
        {"mask-shifted", "the mask read one token early, at t - 1", "ratio", "ratios"},
        {"ratio-from-reference", "the ratio built from the reference's log-probs instead of the old ones", "ratio",
         "ratios"},
        {"old-shifted", "the old log-probs read one token early, at t - 1", "ratio", "ratios"},
        {"ratio-inverted", "the ratio upside down: old over new", "ratio", "ratios"},
        {"exp-missing", "the log-ratio where the ratio belongs: exp is missing", "ratio", "ratios"},
        {"log-ratio-unclamped", "a log-ratio that is not moved into its limits", "ratio", "log-ratio-limit"},
        {"clamped-above-only", "a log-ratio limited from above alone", "ratio", "log-ratio-limit"},
        {"clip-one-sided", "a ratio clipped from above alone", "ratio", "ratios"},
        {"clip-widths-swapped", "clip_low and clip_high in each other's place", "ratio", "clip-widths"},
        {"clip-in-log-space", "a clip of the log-ratio, to [exp(-clip_low), exp(clip_high)]", "ratio", "ratios"},
        {"clip-with-max", "the larger of the two surrogates instead of the smaller", "ratio", "ratios"},
        {"min-before-advantage", "the smaller of the two ratios times the advantage, instead of the smaller product",
         "ratio", "ratios"},
        {"clipped-alone", "the clipped ratio alone, without the minimum", "ratio", "ratios"},
        {"advantage-misindexed", "every group given the first group's advantages", "ratio", "second-group"},
        // masking and aggregation
        {"padding-unmasked", "the surrogate of prompt and padding counted in", "masking", "sequence-mean"},
        {"mask-multiplied", "a mask that is multiplied in: NaN behind it stays NaN", "masking", "masked-nan"},
        {"mean-before-min", "the minimum taken of a sequence's two sums instead of token by token", "masking",
         "sequence-mean"},
        {"denominator-counts-padding", "denominators that count prompt and padding", "masking", "sequence-mean"},
        {"token-mean-for-sequence-mean", "one mean over all tokens where the mean of the sequences' means was asked",
         "masking", "sequence-mean"},
        {"empty-not-counted", "a mean over the sequences that have tokens, the empty one not counted", "masking",
         "sequence-mean"},
        {"constant-own-length", "the sum divided by the number of tokens instead of N * longest", "masking",
         "constant"},
        {"constant-without-count", "the sum divided by longest alone, without N", "masking", "constant"},
        {"token-mean-unguarded", "0 / 0 where no token counts", "masking", "nothing-counts"},
        {"sign-missing", "the objective itself, whose sign was not turned to make a loss", "masking", "sequence-mean"},
        // KL
        {"kl-sign", "the KL term with its sign turned: distance from the reference rewarded", "kl", "kl"},
        {"kl-swapped", "new and reference in each other's place in the KL estimate", "kl", "kl"},
        {"kl-k1", "k1 for k3: the plain difference of log-probs as KL estimate", "kl", "kl"},
        {"kl-k2", "k2 for k3: half the squared difference of log-probs as KL estimate", "kl", "kl"},
        {"kl-unmasked", "the KL term of prompt and padding counted in", "kl", "kl"},
        {"kl-unclamped", "a KL difference that is not moved into its limits", "kl", "kl-limit"},
        // gradient
        {"old-not-detached", "old log-probs that are the new ones, not detached: the ratio is 1 and has no gradient",
         "gradient", "gradient-on-policy"},
        {"kl-detached", "a KL term of detached log-probs: it has no gradient", "gradient", "gradient-kl"},
    };
    return bugs;
}

std::vector<Mistake> mistakes() {
    std::vector<Mistake> list;
    for (const KnownBug& bug : known_bugs()) list.push_back({bug.id, bug.sentence, {bug.level}, {}});
    return list;
}

} // namespace assay::grpo_hunt_judge
