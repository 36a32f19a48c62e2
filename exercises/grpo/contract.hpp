// What an attempt at `grpo` defines: group-relative advantages, and the clipped loss written in Var, a number that can
// be differentiated. README.md beside this file is the statement. A function that is missing fails only the levels that
// need it.
#ifndef ASSAY_GRPO_CONTRACT_HPP
#define ASSAY_GRPO_CONTRACT_HPP

#include <assay/optional.hpp>
#include <assay/tensor.hpp>
#include <assay/var.hpp>
#include <cstdint>

namespace grpo {

using assay::optional;
using assay::tensor;
using assay::Var;

struct group_rule {
    std::int64_t group_size; // G >= 1
    std::int64_t ddof;       // 0 or 1: the variance is a sum divided by G - ddof
    double eps;              // 0, or 1e-8 to 1: added to the standard deviation, outside its root
    bool scale;              // false: reward - mean, undivided (Dr. GRPO)
};

/// rewards, advantage (N): sequence n answers prompt n / G; N is a multiple of G. advantage = (reward - mean) / (std +
/// eps) over the G answers to one prompt; 0 where their rewards are all equal, and so for a group of one.
void advantages(tensor<const double, 1> rewards, group_rule rule, tensor<double, 1> advantage);

/// How the terms of all tokens become one number.
enum class aggregation : std::int64_t {
    sequence_mean, // mean over the N sequences of the mean over a sequence's tokens (GRPO)
    token_mean,    // mean over all tokens of the batch (DAPO)
    constant       // sum / (N * longest) (Dr. GRPO)
};

struct loss_rule {
    double clip_low, clip_high; // the ratio is clipped to [1 - clip_low, 1 + clip_high]
    double log_ratio_limit;     // differences of log-probabilities are clamped to +- this before exp
    double beta;                // weight of the KL term; 0: none
    aggregation how;
    std::int64_t longest; // of constant
};

/// lp_new, lp_old, lp_ref (N, T): log-probability of each token under the policy that is trained, the one that sampled
/// it, and the reference. lp_old absent: lp_new, detached. lp_ref absent, or beta = 0: no KL term, and lp_ref is not
/// read. advantage (N). mask (N, T): true = a token of the completion; where it is false the three may hold anything.
/// Writes terms (N, T): each token's objective, 0 where the mask is false. Returns the loss: minus their aggregate.
Var loss(tensor<const Var, 2> lp_new, optional<tensor<const double, 2>> lp_old,
         optional<tensor<const double, 2>> lp_ref, tensor<const double, 1> advantage, tensor<const bool, 2> mask,
         loss_rule rule, tensor<double, 2> terms);

} // namespace grpo

#define ASSAY_RECORDS(RECORD)                                                                                          \
    RECORD(grpo, group_rule, group_size, ddof, eps, scale)                                                             \
    RECORD(grpo, loss_rule, clip_low, clip_high, log_ratio_limit, beta, how, longest)

// The list that judge and worker build their calls from: (namespace, function, parameter names).
#define ASSAY_CONTRACT(FUNCTION)                                                                                       \
    FUNCTION(grpo, advantages, "rewards rule advantage")                                                               \
    FUNCTION(grpo, loss, "lp_new lp_old lp_ref advantage mask rule terms")

#endif
