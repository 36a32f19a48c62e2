// The list of named mistakes: their sentences, their forms, and the level that must reject each form first.
#include "oracle.hpp"
#include "oracle_slips.hpp"

#include <string>

namespace assay::softmax_layernorm_judge {

namespace {

struct Form {
    const char* level;
    Switch as;
};

struct Entry {
    const char* id;
    const char* sentence;
    std::vector<Form> forms;
};

Form in_softmax(Slip slip, const char* level = "softmax", Guard guard = Guard::nan) {
    return {level, {slip, Route::softmax, 0, guard}};
}
Form in_log_softmax(Slip slip, double number = 0) {
    return {"log-softmax", {slip, Route::log_softmax, 0, Guard::nan, number}};
}
Form in_softmax_backward(Slip slip, int variant = 0, Guard guard = Guard::nan) {
    return {"softmax-backward", {slip, Route::softmax_backward, variant, guard}};
}
Form in_layernorm(Slip slip, int variant = 0) { return {"layernorm", {slip, Route::layernorm, variant}}; }
Form in_layernorm_backward(Slip slip, int variant = 0) {
    return {"layernorm-backward", {slip, Route::layernorm_backward, variant}};
}

std::vector<Form> in_every_function(Slip slip) {
    return {in_softmax(slip), in_log_softmax(slip), in_layernorm(slip), in_softmax_backward(slip),
            in_layernorm_backward(slip)};
}

std::vector<Form> in_both_layernorms(Slip slip) { return {in_layernorm(slip), in_layernorm_backward(slip)}; }

std::vector<Form> means_of_squares() {
    std::vector<Form> forms;
    for (int variant = 0; variant < 6; ++variant)
        forms.push_back({"layernorm-precision", {Slip::mean_of_squares, Route::layernorm, variant}});
    for (int variant = 0; variant < 6; ++variant)
        forms.push_back(in_layernorm_backward(Slip::mean_of_squares, variant));
    return forms;
}

const std::vector<Entry>& entries() {
    using enum Slip;
    constexpr Guard zero = Guard::zero;
    static const std::vector<Entry> list{
        // any function
        {"last-axis", "slices taken along the last axis, whatever axis was asked for", in_every_function(last_axis)},
        {"axis-from-the-end", "slices taken along axis 2 - axis: the axes counted from the wrong end",
         in_every_function(axis_from_the_end)},
        {"whole-tensor", "one normalisation over the whole tensor instead of one a slice",
         in_every_function(whole_tensor)},
        // softmax
        {"not-normalised",
         "exp(x - max) not divided by its sum",
         {in_softmax(not_normalised), in_log_softmax(not_normalised)}},
        {"base-two", "powers (or logarithms) of 2 in place of e", {in_softmax(base_two), in_log_softmax(base_two)}},
        {"no-max-subtraction",
         "exp of x without subtracting the slice's maximum (overflow, or all underflow)",
         {in_softmax(no_max_subtraction, "softmax-range"), in_softmax(no_max_subtraction, "softmax-range", zero),
          in_log_softmax(no_max_subtraction), in_softmax_backward(no_max_subtraction),
          in_softmax_backward(no_max_subtraction, 0, zero)}},
        {"max-of-tensor",
         "the maximum of the whole tensor subtracted from each slice instead of the slice's own",
         {in_softmax(max_of_tensor, "softmax-range"), in_softmax(max_of_tensor, "softmax-range", zero),
          in_log_softmax(max_of_tensor), in_softmax_backward(max_of_tensor),
          in_softmax_backward(max_of_tensor, 0, zero)}},
        {"max-from-zero",
         "a maximum that starts at 0 instead of -infinity, so that slices far below 0 underflow",
         {in_softmax(max_from_zero, "softmax-range"), in_softmax(max_from_zero, "softmax-range", zero),
          in_log_softmax(max_from_zero), in_softmax_backward(max_from_zero),
          in_softmax_backward(max_from_zero, 0, zero)}},
        {"log-sum-exp-rounded",
         "x - (max + log(sum)), whose bracket is rounded at the size of max, instead of (x - max) - log(sum)",
         {in_softmax(log_sum_exp_rounded, "softmax-range"), in_log_softmax(log_sum_exp_rounded)}},
        {"log-of-softmax",
         "the logarithm of a softmax that has underflowed, instead of x - max - log(sum)",
         {in_log_softmax(log_of_softmax), in_log_softmax(log_of_softmax, 1e-12), in_log_softmax(log_of_softmax, 1e-9),
          in_log_softmax(log_of_softmax, 0x1p-126)}},
        // layernorm
        {"ddof-one",
         "the variance divided by n - 1 instead of n",
         {in_layernorm(ddof_one), in_layernorm_backward(ddof_one), in_layernorm_backward(ddof_one, 1)}},
        {"eps-outside-root", "the deviation divided by sqrt(variance) + eps instead of sqrt(variance + eps)",
         in_both_layernorms(eps_outside_root)},
        {"eps-missing", "layernorm without eps", in_both_layernorms(eps_missing)},
        {"variance-not-root", "the deviation divided by variance + eps, without the root",
         in_both_layernorms(variance_not_root)},
        {"mean-of-squares", "the variance as mean of squares less square of the mean, which cancels in float32",
         means_of_squares()},
        {"batch-statistics",
         "statistics over the two other axes, one pair an index of `axis` (batchnorm), instead of one a slice",
         in_both_layernorms(batch_statistics)},
        {"mean-not-subtracted",
         "x not centred: the mean is not subtracted from it (RMSNorm)",
         {in_layernorm(mean_not_subtracted), in_layernorm(mean_not_subtracted, 1),
          in_layernorm_backward(mean_not_subtracted)}},
        {"gamma-forgotten", "layernorm without gamma", in_both_layernorms(gamma_forgotten)},
        {"beta-forgotten", "layernorm without beta", {in_layernorm(beta_forgotten)}},
        {"beta-scaled", "beta added before the multiplication by gamma", {in_layernorm(beta_scaled)}},
        {"gamma-by-last-axis", "gamma and beta indexed along the last axis instead of the normalised one",
         in_both_layernorms(gamma_by_last_axis)},
        // backward through softmax
        {"reduction-missing",
         "dx = y dy: the diagonal of the Jacobian alone, without - y sum(y dy)",
         {in_softmax_backward(reduction_missing)}},
        {"reduction-unweighted",
         "y (dy - sum or mean of dy) instead of y (dy - sum(y dy))",
         {in_softmax_backward(reduction_unweighted), in_softmax_backward(reduction_unweighted, 1)}},
        {"weight-missing", "dy - sum(y dy), not multiplied by y", {in_softmax_backward(weight_missing)}},
        {"gradient-sign", "the gradient with its sign turned round", {in_softmax_backward(gradient_sign)}},
        {"independent-elements",
         "y (1 - y) dy: the derivative of each element by itself, as of a sigmoid",
         {in_softmax_backward(independent_elements)}},
        {"log-softmax-gradient",
         "dy - y sum(dy), which is the gradient through log-softmax",
         {in_softmax_backward(log_softmax_gradient)}},
        {"logits-as-weights",
         "x (dy - sum(x dy)): x taken for the output of softmax",
         {in_softmax_backward(logits_as_weights)}},
        // backward through layernorm
        {"mean-term-missing",
         "dx without - mean(g), as if the mean were a constant",
         {in_layernorm_backward(mean_term_missing)}},
        {"variance-term-missing",
         "dx without - x̂ mean(g x̂), as if the variance were a constant",
         {in_layernorm_backward(variance_term_missing)}},
        {"statistics-detached",
         "dx = g / sqrt(variance + eps): mean and variance both taken for constants",
         {in_layernorm_backward(statistics_detached)}},
        {"gamma-after-reductions",
         "gamma multiplied onto the result, after the two means were taken of dy instead of gamma dy",
         {in_layernorm_backward(gamma_after_reductions)}},
        {"sums-for-means",
         "sums in place of means in dx: the two reductions not divided by n",
         {in_layernorm_backward(sums_for_means)}},
        {"deviations-unscaled",
         "x - mean in place of x̂ in dx: the second reduction not scaled by 1 / (variance + eps)",
         {in_layernorm_backward(deviations_unscaled)}},
        {"dgamma-from-x", "dgamma = sum(dy x) instead of sum(dy x̂)", {in_layernorm_backward(dgamma_from_x)}},
        {"parameters-overwritten",
         "dgamma and dbeta set by later slices instead of summed over all of them",
         {in_layernorm_backward(parameters_overwritten), in_layernorm_backward(parameters_overwritten, 1)}},
        {"parameters-averaged",
         "dgamma and dbeta averaged over the slices instead of summed",
         {in_layernorm_backward(parameters_averaged)}},
        {"parameters-with-gamma",
         "gamma multiplied into dgamma and dbeta",
         {in_layernorm_backward(parameters_with_gamma)}},
        // views
        {"strides-ignored", "tensors read through data() as if they were contiguous", {{"views", {strides_ignored}}}},
    };
    return list;
}

} // namespace

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
        result.push_back(std::move(mistake));
    }
    return result;
}

} // namespace assay::softmax_layernorm_judge
