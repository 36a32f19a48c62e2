// The mistakes that the oracle can make, level by level. Each sentence completes "which is what you get by ...".
#include "oracle.hpp"

namespace assay::attention_scaling_judge {

std::vector<Mistake> mistakes() {
    return {
        // moments
        {"sigma-not-squared", "multiplying the standard deviations where their squares belong", {"moments"}, {}},
        {"sigmas-added",
         "adding the two variances, which is the variance of q_i + k_i, not of q_i k_i",
         {"moments"},
         {}},
        {"d-squared", "multiplying by d², as if the d products moved together", {"moments"}, {}},
        {"d-forgotten", "taking the variance of one product for that of their sum", {"moments"}, {}},
        {"deviation-for-variance",
         "giving the standard deviation where the variance is asked",
         {"moments", "moments"}, // the scale right; the scale from it as if it were the variance
         {}},
        {"scale-by-variance", "dividing by the variance instead of its square root", {"moments"}, {}},
        {"scale-by-d", "scaling by 1/d instead of one over the standard deviation", {"moments"}, {}},
        {"scale-without-sigma", "scaling by 1/sqrt(d), which is right for sigmas of 1 only", {"moments"}, {}},
        {"scale-inverted", "giving the number to divide by instead of the factor", {"moments"}, {}},
        {"d-in-32-bits", "keeping d in a 32-bit integer, where it wraps", {"moments"}, {}},
        {"unchecked",
         "computing on with invalid input",
         {"moments", "correlation", "softmax", "softmax"}, // the last asks `if (p > 0)` before the logarithm
         {}},
        {"d-unchecked", "computing on with a d below 1", {"moments"}, {}},
        {"negative-sigma-accepted", "computing on with a negative standard deviation", {"moments"}, {}},
        {"infinity-accepted", "computing on with an infinite standard deviation", {"moments"}, {}},
        // correlation
        {"rho-forgotten",
         "taking q and k as independent where they correlate",
         {"correlation", "correlation", "correlation"}, // everywhere, in the variance, in the mean
         {}},
        {"gaussian-for-all",
         "using the Gaussian 1 + rho² for a distribution that is not Gaussian",
         {"correlation", "correlation", "correlation"}, // for both others, for signs, for uniform
         {}},
        {"signs-for-all",
         "using 1 - rho², which belongs to ±1 variables, for another distribution",
         {"correlation", "correlation", "correlation"}, // for both others, for Gaussian, for uniform
         {}},
        {"rho-not-squared", "using rho where rho² belongs", {"correlation"}, {}},
        {"mean-not-subtracted",
         "taking the second moment for the variance: the squared mean is still in it",
         {"correlation"},
         {}},
        {"mean-without-d", "giving the mean of one product instead of the sum's", {"correlation"}, {}},
        {"mean-without-sigma", "giving d rho as the mean, without the standard deviations", {"correlation"}, {}},
        {"mean-sigma-squared",
         "multiplying the mean by variances where standard deviations belong",
         {"correlation"},
         {}},
        {"rho-unchecked", "computing on with a correlation beyond 1", {"correlation"}, {}},
        // softmax
        {"not-normalised", "leaving out the division by the sum of the exponentials", {"softmax"}, {}},
        {"no-max-subtraction",
         "exponentiating without subtracting the largest logit (overflow: infinity / infinity is NaN)",
         {"softmax", "softmax"}, // the entropy NaN; the entropy skipping what is not above 0
         {}},
        {"jacobian-without-diagonal", "leaving diag(p) out of the Jacobian: -p pᵀ alone", {"softmax"}, {}},
        {"jacobian-without-outer", "leaving p pᵀ out of the Jacobian: diag(p) alone", {"softmax"}, {}},
        {"p-for-outer",
         "subtracting p from diag(p) where the outer product p pᵀ belongs",
         {"softmax", "softmax"}, // along rows, along columns
         {}},
        {"outer-added", "adding p pᵀ to diag(p) instead of subtracting it", {"softmax"}, {}},
        {"jacobian-elementwise",
         "keeping only the diagonal p (1 - p), as if each weight depended on its own logit alone",
         {"softmax"},
         {}},
        {"norm-squared", "leaving out the root: the sum of the squares", {"softmax"}, {}},
        {"entropy-in-bits", "taking base-2 logarithms: bits instead of nats", {"softmax"}, {}},
        {"entropy-sign", "forgetting the minus of -Σ p ln p", {"softmax"}, {}},
        {"log-of-zero", "multiplying 0 by ln 0, which is NaN, where a weight is 0", {"softmax"}, {}},
        {"log-epsilon",
         "adding an epsilon inside the logarithm",
         {"softmax", "softmax", "softmax", "softmax"}, // 1e-12, 1e-10, 1e-9, 1e-8
         {}},
        // saturation
        {"variance-as-deviation",
         "taking the variance of q·k for its standard deviation: logits that spread by d instead of sqrt(d)",
         {"saturation"},
         {}},
        {"mup-on-scaled", "dividing by d what has been divided by sqrt(d) already", {"saturation"}, {}},
        {"grid-sample-variance",
         "standardising the keys by the sample variance (n - 1) instead of the variance over the keys (n)",
         {"saturation"},
         {}},
        // after-training
        {"root-keeps-mean", "expecting 1/sqrt(d) to hold the mean of correlated q·k as well", {"after-training"}, {}},
        {"d-keeps-deviation", "expecting 1/d to hold the standard deviation as well", {"after-training"}, {}},
        {"crossing-of-independent",
         "leaving the 1 + rho² out of the standard deviation when it is compared with the mean",
         {"after-training"},
         {}},
    };
}

} // namespace assay::attention_scaling_judge
