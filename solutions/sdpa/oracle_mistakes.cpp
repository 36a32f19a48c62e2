// The list of named mistakes: their sentences, their forms, and the level that must reject each form first.
#include "oracle.hpp"
#include "oracle_forms.hpp"

#include <string>

namespace assay::sdpa_judge {

namespace {

struct Entry {
    const char* id;
    const char* sentence;
    std::vector<Form> forms;
    std::vector<std::string> twins = {};
};

const std::vector<Entry>& entries() {
    using enum Slip;
    constexpr Guard nan = Guard::nan;
    constexpr Guard zero = Guard::zero;
    static const std::vector<Entry> list{
        // formula
        {"scale-missing",
         "softmax(q·k) without the scale",
         {{"formula", slip(scale_missing)},
          {"formula", slip(scale_missing, Scope::everywhere, true)}, // a scale that is given is used
          {"streaming", slip(scale_missing, Scope::stream)},
          {"gradients", slip(scale_missing, Scope::backward)}}},
        {"scale-by-d", "logits scaled by 1/D instead of 1/sqrt(D)", {{"formula", slip(scale_by_d)}}},
        {"scale-by-model-width",
         "logits scaled by 1/sqrt(Hq·D), the model's width, instead of the head's 1/sqrt(D)",
         {{"formula", slip(scale_by_model_width)}}},
        {"scale-twice",
         "logits scaled by the square of the scale: it was applied twice",
         {{"formula", slip(scale_twice)}, {"streaming", slip(scale_twice, Scope::stream)}}},
        {"scale-argument-ignored",
         "1/sqrt(D) used although another scale was given",
         {{"formula", slip(scale_argument_ignored)},
          {"streaming", slip(scale_argument_ignored, Scope::stream)},
          {"gradients", slip(scale_argument_ignored, Scope::backward)}}},
        {"softmax-over-queries",
         "softmax over the query axis instead of the key axis",
         {{"formula", slip(softmax_over_queries, Scope::whole)}}},
        {"max-over-queries",
         "logits less a maximum taken per key over the queries instead of per query over the keys",
         {{"formula", guarded(max_over_queries, nan, false, Scope::whole)},
          {"formula", guarded(max_over_queries, zero, false, Scope::whole)}}},
        {"k-not-transposed",
         "k's block of a head read as (D, Lk) where it lies as (Lk, D): k not transposed",
         {{"formula", slip(k_not_transposed, Scope::whole)}, {"streaming", slip(k_not_transposed, Scope::stream)}}},
        {"heads-merged-without-transpose",
         "the result written in (B, Lq, Hq, Dv) order into the (B, Hq, Lq, Dv) output",
         {{"formula", slip(heads_merged_without_transpose, Scope::whole)}}},
        {"partial-block-dropped", "the keys after the last whole block left out", dropped_blocks()},
        // stability
        {"no-max-subtraction",
         "exp of the logits without subtracting the row's maximum (overflow, or all underflow: 0/0)",
         {{"stability", guarded(no_max_subtraction, nan)},
          {"stability", guarded(no_max_subtraction, zero)},
          {"streaming", guarded(no_max_subtraction, nan, false, Scope::stream)},
          {"streaming", guarded(no_max_subtraction, zero, false, Scope::stream)},
          {"gradients", guarded(no_max_subtraction, nan, false, Scope::backward)},
          {"gradients", guarded(no_max_subtraction, zero, false, Scope::backward)},
          {"gradients", guarded(no_max_subtraction, Guard::log, false, Scope::backward)}}}, // exp(s - log(sum))
        {"max-over-everything",
         "the maximum over all rows subtracted from each row instead of the row's own (far rows underflow)",
         {{"stability", guarded(max_over_everything, nan, false, Scope::whole)}, // over the head
          {"stability", guarded(max_over_everything, zero, false, Scope::whole)},
          {"stability", guarded(max_over_everything, nan, true, Scope::whole)}, // over the whole tensor
          {"stability", guarded(max_over_everything, zero, true, Scope::whole)}}},
        {"max-from-zero",
         "a row maximum that starts at 0 instead of -infinity, so that rows far below 0 underflow",
         {{"stability", guarded(max_from_zero, nan)}, {"stability", guarded(max_from_zero, zero)}}},
        {"rescale-forgotten", "blockwise attention whose earlier sums are not rescaled when the maximum grows",
         in_blocks(rescale_forgotten, {Part::both, Part::values, Part::denominator})},
        {"rescale-inverted",
         "blockwise attention whose earlier sums are rescaled by exp(new - old) instead of exp(old - new)",
         in_blocks(rescale_inverted, {Part::both})},
        // masks
        {"mask-inverted",
         "the mask read the wrong way round: true taken for 'may not attend'",
         {{"masks", slip(mask_inverted)},
          {"streaming", slip(mask_inverted, Scope::stream)},
          {"gradients", slip(mask_inverted, Scope::backward)}}},
        {"mask-after-softmax",
         "weights zeroed by the mask after normalising, so the rest no longer sums to 1",
         {{"masks", slip(mask_after_softmax)}}},
        {"mask-ignored",
         "attention without the mask",
         {{"masks", slip(mask_ignored)},
          {"streaming", slip(mask_ignored, Scope::stream)},
          {"gradients", slip(mask_ignored, Scope::backward)}}},
        {"causal-ignored",
         "attention without the causal condition",
         {{"masks", slip(causal_ignored)}, {"gradients", slip(causal_ignored, Scope::backward)}}},
        {"causal-top-left",
         "a causal mask aligned top-left (j <= i) instead of bottom-right (j <= i + Lk - Lq)",
         {{"masks", slip(causal_top_left)}, {"gradients", slip(causal_top_left, Scope::backward)}}},
        {"causal-strict",
         "a causal mask that leaves out the diagonal (j < i + Lk - Lq)",
         {{"masks", slip(causal_strict)}, {"gradients", slip(causal_strict, Scope::backward)}}},
        {"mask-or-causal",
         "mask and causal joined by 'or' instead of 'and'",
         {{"masks", slip(mask_or_causal)},
          {"masks", slip(mask_or_causal, Scope::everywhere, true)}}}, // an absent mask counts as all true
        {"mask-batch-as-head", "the mask's batch and head indices swapped", {{"masks", slip(mask_batch_as_head)}}},
        {"mask-key-as-query",
         "the mask applied along the wrong one of the query and key axes",
         {{"masks", slip(mask_key_as_query)},
          {"masks", slip(mask_key_as_query, Scope::everywhere, true)}}}, // full masks swapped as well
        {"max-over-masked",
         "a row maximum taken over masked keys too, so that a large masked logit makes the allowed ones underflow",
         {{"masks", guarded(max_over_masked, nan)}, {"masks", guarded(max_over_masked, zero)}}},
        {"sentinel-1e4",
         "masked logits at -1e4 instead of -infinity",
         {{"masks", masked_to(-1e4, false)}, {"masks", masked_to(-1e4, true)}}},
        {"sentinel-5e4",
         "masked logits at -5e4 instead of -infinity",
         {{"masks", masked_to(-5e4, false)}, {"masks", masked_to(-5e4, true)}}},
        {"sentinel-1e9",
         "masked logits at -1e9 instead of -infinity",
         {{"masks", masked_to(-1e9, false)}, {"masks", masked_to(-1e9, true)}}},
        {"first-block-masked-nan", "exp(-infinity - -infinity) = NaN where a row's first block of keys is all masked",
         masked_first_blocks()},
        // empty rows
        {"empty-row-nan",
         "0/0 = NaN in rows that may attend nothing",
         {{"empty-rows", slip(empty_row_nan)},
          {"streaming", slip(empty_row_nan, Scope::stream)},
          {"gradients", slip(empty_row_nan, Scope::backward)},
          {"gradients", slip(empty_row_nan, Scope::backward, true)}}}, // in dS alone: dv is right
        {"empty-row-uniform",
         "equal weights for all keys in rows that may attend nothing (what a finite sentinel such as -FLT_MAX gives)",
         {{"empty-rows", guarded(empty_row_uniform, nan)},
          {"empty-rows", guarded(empty_row_uniform, zero)},
          {"gradients", slip(empty_row_uniform, Scope::backward)},
          {"gradients", slip(empty_row_uniform, Scope::backward, true)}}}, // in dv alone: masked scores get none
        // heads and views
        {"gqa-tiled",
         "query head h reading key/value head h % Hkv (tiled) instead of h / (Hq/Hkv) (grouped)",
         {{"heads-and-views", slip(gqa_tiled)}, {"gradients", slip(gqa_tiled, Scope::backward)}}},
        {"strides-ignored",
         "tensors read through data() as if they were contiguous",
         {{"heads-and-views", slip(strides_ignored)},
          {"heads-and-views", slip(strides_ignored, Scope::everywhere, true)}, // the mask read as it should be
          {"gradients", slip(strides_ignored, Scope::backward)},
          {"gradients", slip(strides_ignored, Scope::backward, true)}}},
        {"value-width-as-d",
         "rows of v taken D elements apart although they are Dv wide",
         {{"heads-and-views", slip(value_width_as_d, Scope::whole)}}},
        // half storage
        {"half-sums", "sums over the keys kept in the 16-bit storage type, where they stop growing",
         on_halves("half-storage", half_sums, {Part::both, Part::values, Part::denominator}, {false, true})},
        {"half-scores", "q·k summed in the 16-bit storage type",
         on_halves("half-storage", half_scores, {Part::both}, {false, true})},
        {"half-weights", "softmax weights rounded to the 16-bit storage type before they meet v",
         on_halves("half-storage", half_weights, {Part::both, Part::values}, {false})},
        {"half-early-rounding", "a float32 output that was rounded to the 16-bit storage type first",
         on_halves("half-storage", half_early_rounding, {Part::both}, {false})},
        {"storage-truncated",
         "bfloat16 output cut off instead of rounded to nearest",
         {{"half-storage", slip(storage_truncated, Scope::bf16)}}},
        // streaming
        {"merge-forgets-rescale",
         "two states added although they are relative to different maxima",
         {{"streaming", slip(merge_forgets_rescale, Scope::stream)}}},
        {"merge-empty-nan",
         "exp(-infinity - -infinity) = NaN where two states are merged that attended nothing in that row",
         {{"streaming", slip(merge_empty_nan, Scope::stream)}}},
        {"merge-overwrites",
         "a merge that replaces one state by the other",
         {{"streaming", slip(merge_overwrites, Scope::stream)}}},
        {"finish-undivided",
         "the weighted sum of v, not divided by the sum of the weights",
         {{"streaming", slip(finish_undivided, Scope::stream)}}},
        // gradients
        {"delta-missing", "dS = P∘dP: Σ P∘dP over the row was not subtracted from dP",
         on_gradients(delta_missing, {Of::both}, {false})},
        {"delta-over-queries", "Σ P∘dP taken over the queries of each key instead of over the keys of each query",
         on_gradients(delta_over_queries, {Of::both}, {false})},
        {"delta-unweighted", "dP less its plain sum or mean over the row instead of less Σ P∘dP",
         on_gradients(delta_unweighted, {Of::both}, {false, true})}, // the sum, the mean
        {"jacobian-sign",
         "a wrong sign in the softmax's Jacobian: P∘(Σ P∘dP - dP) or P∘(dP + Σ P∘dP) for dS = P∘(dP - Σ P∘dP)",
         on_gradients(jacobian_sign, {Of::both}, {false, true})},
        {"jacobian-diagonal", "dS = P∘(1 - P)∘dP: the Jacobian's diagonal alone, as if weights did not share a sum",
         on_gradients(jacobian_diagonal, {Of::both}, {false})},
        {"weights-unnormalised", "weights exp(s - max) that were not divided by their sum",
         on_gradients(weights_unnormalised, {Of::both}, {false, true})}, // in delta too, or delta from a right output
        {"weights-transposed",
         "dk and dv, or one of them, summed with dS and P read as (Lk, Lq) where they lie as (Lq, Lk)",
         on_gradients(weights_transposed, {Of::both, Of::dk, Of::dv}, {false})},
        {"gradient-scale-missing", "dq and dk, or one of them, without the scale that the logits carry",
         on_gradients(gradient_scale_missing, {Of::both, Of::dq, Of::dk}, {false})},
        {"gradient-scale-twice", "dq and dk, or one of them, with the scale applied twice",
         on_gradients(gradient_scale_twice, {Of::both, Of::dq, Of::dk}, {false})},
        {"group-not-summed", "dk and dv of one query head of the group instead of the sum over all its heads",
         on_gradients(group_not_summed, {Of::both}, {false, true})}, // the last head's, the first one's
        {"dk-not-summed", "a dk of one query head of the group instead of the sum over all its heads (dv is summed)",
         on_gradients(group_not_summed, {Of::dk}, {false, true})},
        {"dv-not-summed", "a dv of one query head of the group instead of the sum over all its heads (dk is summed)",
         on_gradients(group_not_summed, {Of::dv}, {false, true})},
        {"group-averaged", "dk and dv averaged over the query heads of a group instead of summed",
         on_gradients(group_averaged, {Of::both}, {false})},
        {"queries-not-summed", "dk and dv of the last query that attends the key instead of the sum over all queries",
         on_gradients(queries_not_summed, {Of::both}, {false})},
        {"dq-dk-swapped", "dq and dk in each other's place", on_gradients(dq_dk_swapped, {Of::both}, {false})},
        {"dout-strides-ignored", "dout read as if it were contiguous, or as if its features lay side by side",
         on_gradients(dout_strides_ignored, {Of::both}, {false, true})},
        // bonuses
        {"masked-nan-leaks",
         "NaN or infinity of a masked key or value reaching the output (0 · NaN is NaN)",
         {{"hygiene", narrow(masked_nan_leaks, Scope::everywhere, Part::values)},        // v alone
          {"hygiene", narrow(masked_nan_leaks, Scope::everywhere, Part::both)},          // k and v
          {"hygiene", narrow(masked_nan_leaks, Scope::everywhere, Part::denominator)}}}, // k alone
        {"alibi-scaled", "the scale applied to the ALiBi bias too", {{"alibi", slip(alibi_scaled, Scope::biased)}}},
        {"alibi-sign", "the ALiBi bias added instead of subtracted", {{"alibi", slip(alibi_sign, Scope::biased)}}},
        {"alibi-top-left",
         "distances counted from position i instead of i + Lk - Lq",
         {{"alibi", slip(alibi_top_left, Scope::biased)}}},
        {"window-off-by-one",
         "a window that reaches one key too far (|p - j| <= window)",
         {{"alibi", slip(window_off_by_one, Scope::biased)}}},
        {"window-ignored", "attention without the sliding window", {{"alibi", slip(window_ignored, Scope::biased)}}},
    };
    return list;
}

} // namespace

bool Switch::applies(Route route) const {
    const bool f16 = route == Route::f16 || route == Route::f16_stored;
    const bool bf16 = route == Route::bf16 || route == Route::bf16_stored;
    switch (scope) {
    case Scope::everywhere: return route != Route::backward;
    case Scope::whole: return route != Route::stream && route != Route::backward;
    case Scope::stream: return route == Route::stream;
    case Scope::halves: return f16 || bf16;
    case Scope::f16: return f16;
    case Scope::bf16: return bf16;
    case Scope::biased: return route == Route::biased;
    case Scope::backward: return route == Route::backward;
    }
    return false;
}

std::optional<Switch> find_switch(std::string_view mistake, int form) {
    if (mistake.empty()) return Switch{};
    for (const Entry& entry : entries())
        if (mistake == entry.id && form >= 0 && static_cast<std::size_t>(form) < entry.forms.size())
            return entry.forms[static_cast<std::size_t>(form)].as;
    return std::nullopt;
}

std::vector<Mistake> mistakes() {
    std::vector<Mistake> result;
    for (const Entry& entry : entries()) {
        Mistake mistake;
        mistake.id = entry.id;
        mistake.sentence = entry.sentence;
        for (const Form& form : entry.forms) mistake.levels.emplace_back(form.level);
        mistake.twins = entry.twins;
        result.push_back(std::move(mistake));
    }
    return result;
}

} // namespace assay::sdpa_judge
