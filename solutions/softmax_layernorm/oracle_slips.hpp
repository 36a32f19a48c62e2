// The named mistakes as switches: what each does to the computation, in which forms, and in which functions.
#ifndef ASSAY_SOFTMAX_LAYERNORM_ORACLE_SLIPS_HPP
#define ASSAY_SOFTMAX_LAYERNORM_ORACLE_SLIPS_HPP

#include "oracle_inputs.hpp"

#include <optional>
#include <string_view>

namespace assay::softmax_layernorm_judge {

enum class Slip {
    none,
    last_axis,
    axis_from_the_end,
    whole_tensor,
    strides_ignored,
    // softmax and its logarithm
    not_normalised,
    base_two,
    no_max_subtraction,
    max_of_tensor,
    max_from_zero,
    log_sum_exp_rounded,
    log_of_softmax,
    // layernorm
    ddof_one,
    eps_outside_root,
    eps_missing,
    variance_not_root,
    mean_of_squares,
    batch_statistics,
    mean_not_subtracted,
    gamma_forgotten,
    beta_forgotten,
    beta_scaled,
    gamma_by_last_axis,
    // backward through softmax
    reduction_missing,
    reduction_unweighted,
    weight_missing,
    gradient_sign,
    independent_elements,
    log_softmax_gradient,
    logits_as_weights,
    // backward through layernorm
    mean_term_missing,
    variance_term_missing,
    statistics_detached,
    gamma_after_reductions,
    sums_for_means,
    deviations_unscaled,
    dgamma_from_x,
    parameters_overwritten,
    parameters_averaged,
    parameters_with_gamma,
};

/// Where a sum of no weights stands in a denominator.
enum class Guard { nan, zero };

struct Switch {
    Slip slip = Slip::none;
    std::optional<Route> route = {}; // the one function it is made in; nothing: all
    int variant = 0;                 // said where it is used
    Guard guard = Guard::nan;
    double number = 0;

    bool applies(Route asked) const { return !route || *route == asked; }
};

/// Nothing where there is no such mistake or form. "" is the truth.
std::optional<Switch> find_switch(std::string_view mistake, int form);

} // namespace assay::softmax_layernorm_judge

#endif
