// What an attempt at `grpo_hunt` defines: GRPO's loss from logits, rewards and a mask. README.md beside this file is
// the statement.
#ifndef ASSAY_GRPO_HUNT_CONTRACT_HPP
#define ASSAY_GRPO_HUNT_CONTRACT_HPP

#include <assay/optional.hpp>
#include <assay/tensor.hpp>
#include <assay/var.hpp>
#include <cstdint>

namespace grpo_hunt {

using assay::optional;
using assay::tensor;
using assay::Var;

enum class aggregation : std::int64_t {
    sequence_mean, // 0: mean over the N sequences of the mean over a sequence's tokens; an empty one gives 0, and
                   // counts
    token_mean,    // 1: sum over all tokens / their number; 0 where there is none
    constant,      // 2: sum over all tokens / (N * longest)
};

struct loss_rule {
    std::int64_t group_size; // sequences n with the same n / group_size answer one prompt; N is a multiple of it
    std::int64_t ddof;       // 0 or 1: the variance of a group is divided by group_size - ddof
    double eps;              // added to the standard deviation, outside the root; 0 to 1
    bool scale;              // false: advantages are not divided by anything (Dr. GRPO)
    double temperature;      // 0.05 to 20; tokens were sampled from softmax(logits / temperature)
    double clip_low;         // 0.05 to 0.9: the ratio is clipped to [1 - clip_low, 1 + clip_high]
    double clip_high;        // 0.05 to 2
    double log_ratio_limit;  // 0.5 to 20: differences of log-probs are moved into [-limit, limit]
    double beta;             // weight of the KL term, 0 to 10
    aggregation how;
    std::int64_t longest; // divisor of aggregation::constant, 1 or more
};

/// Row n holds a prompt, its completion and padding, T tokens in all; V is the vocabulary's size. Whatever has an entry
/// a token has it at the token's own position t: mask, lp_old, lp_ref, log_probs, terms.
///   logits (N, T, V)   finite; logits(n, t) belong to the distribution of the token that FOLLOWS position t
///   tokens (N, T)      ids in [0, V), padding too
///   mask (N, T)        true: token t counts. mask(n, 0) is false. There may be holes
///   lp_old (N, T)      log-probs under the policy that sampled; absent: the new ones, detached
///   lp_ref (N, T)      log-probs under the reference policy; absent: no KL term
///   rewards (N)
/// Where mask is false, lp_old and lp_ref may hold anything, NaN and infinity too.
///   log_probs (N, T)   out: of every token under the new policy, masked or not; 0 at t = 0
///   advantage (N)      out
///   terms (N, T)       out: each token's objective where mask is true, else 0
/// Returns the loss, which is to be minimised. Gradients are taken with respect to logits.
Var loss(tensor<const Var, 3> logits, tensor<const std::int64_t, 2> tokens, tensor<const bool, 2> mask,
         optional<tensor<const double, 2>> lp_old, optional<tensor<const double, 2>> lp_ref,
         tensor<const double, 1> rewards, loss_rule rule, tensor<double, 2> log_probs, tensor<double, 1> advantage,
         tensor<double, 2> terms);

} // namespace grpo_hunt

// The lists that judge and worker build their calls from: a struct with its fields, a function with its parameters.
#define ASSAY_RECORDS(RECORD)                                                                                          \
    RECORD(grpo_hunt, loss_rule, group_size, ddof, eps, scale, temperature, clip_low, clip_high, log_ratio_limit,      \
           beta, how, longest)
#define ASSAY_CONTRACT(FUNCTION)                                                                                       \
    FUNCTION(grpo_hunt, loss, "logits tokens mask lp_old lp_ref rewards rule log_probs advantage terms")

#endif
