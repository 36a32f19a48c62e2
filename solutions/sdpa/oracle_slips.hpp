// The named mistakes as switches: what each does to the computation, in which forms, and on which routes.
#ifndef ASSAY_SDPA_ORACLE_SLIPS_HPP
#define ASSAY_SDPA_ORACLE_SLIPS_HPP

#include "oracle_inputs.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace assay::sdpa_judge {

enum class Slip {
    none,
    scale_missing,
    scale_by_d,
    scale_by_model_width,
    scale_twice,
    scale_argument_ignored,
    softmax_over_queries,
    max_over_queries,
    k_not_transposed,
    heads_merged_without_transpose,
    partial_block_dropped,
    no_max_subtraction,
    max_over_everything,
    max_over_masked,
    max_from_zero,
    rescale_forgotten,
    rescale_inverted,
    mask_inverted,
    mask_after_softmax,
    mask_ignored,
    causal_ignored,
    causal_top_left,
    causal_strict,
    mask_or_causal,
    mask_batch_as_head,
    mask_key_as_query,
    sentinel,
    empty_row_nan,
    empty_row_uniform,
    gqa_tiled,
    strides_ignored,
    value_width_as_d,
    half_sums,
    half_scores,
    half_weights,
    half_early_rounding,
    storage_truncated,
    merge_forgets_rescale,
    merge_empty_nan,
    merge_overwrites,
    first_block_masked_nan,
    finish_undivided,
    masked_nan_leaks,
    alibi_scaled,
    alibi_sign,
    alibi_top_left,
    window_off_by_one,
    window_ignored,
    // of the gradients alone
    delta_missing,
    delta_over_queries,
    delta_unweighted,
    jacobian_sign,
    jacobian_diagonal,
    weights_unnormalised,
    weights_transposed,
    gradient_scale_missing,
    gradient_scale_twice,
    group_not_summed,
    group_averaged,
    queries_not_summed,
    dq_dk_swapped,
    dout_strides_ignored,
};

/// Routes on which a form of a mistake is made; elsewhere that attempt is right.
/// everywhere: all but the gradients; whole: all but these and the stream.
enum class Scope { everywhere, whole, stream, halves, f16, bf16, biased, backward };

/// What becomes of a sum of no weights in a denominator: 0/0, the guard's 0, or (of gradients) exp(s - log(sum)).
enum class Guard { nan, zero, log };

/// Which of the two running sums a block form touches.
enum class Part { both, values, denominator };

/// Which gradients a form touches: both = all that the slip can touch.
enum class Of { both, dq, dk, dv };

/// One form of a mistake. Which fields count depends on the slip.
struct Switch {
    Slip slip = Slip::none;
    Scope scope = Scope::everywhere;
    std::size_t block = 0; // keys a block; 0: the stream's own blocks
    Part part = Part::both;
    Guard guard = Guard::nan;
    Of of = Of::both;
    double sentinel = 0;
    bool variant = false; // the second of two ways to make it; said where it is used

    bool applies(Route route) const;
};

/// Nothing where there is no such mistake or form. "" is the truth.
std::optional<Switch> find_switch(std::string_view mistake, int form);

} // namespace assay::sdpa_judge

#endif
