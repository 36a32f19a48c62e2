// What an attempt at `softmax_layernorm` defines: two normalisations and their gradients. README.md beside this file is
// the statement. A function that is missing fails only the levels that need it.
#ifndef ASSAY_SOFTMAX_LAYERNORM_CONTRACT_HPP
#define ASSAY_SOFTMAX_LAYERNORM_CONTRACT_HPP

#include <assay/tensor.hpp>

namespace softmax_layernorm {

using assay::tensor;

// A slice is what one index of `axis` (0, 1 or 2) runs over while the two others stand still; n = x.extent(axis).
// All tensors of rank 3 have x's extents, any strides >= 0. Inputs are finite and at most 1e9 in size, and are not
// changed; every element of an output is written. Any extent may be 0 or 1.

/// y = exp(x) / sum of exp(x) over each slice.
void softmax(tensor<const float, 3> x, int axis, tensor<float, 3> y);

/// y = log(softmax(x)), natural logarithm.
void log_softmax(tensor<const float, 3> x, int axis, tensor<float, 3> y);

/// dx = gradient of sum(dy * softmax(x)) with respect to x.
void softmax_backward(tensor<const float, 3> x, tensor<const float, 3> dy, int axis, tensor<float, 3> dx);

/// y = gamma * (x - mean) / sqrt(variance + eps) + beta, mean and biased variance (divided by n) of each slice.
/// gamma (n), beta (n): one value an index of `axis`. 1e-12 <= eps <= 1.
void layernorm(tensor<const float, 3> x, tensor<const float, 1> gamma, tensor<const float, 1> beta, int axis, float eps,
               tensor<float, 3> y);

/// Gradients of sum(dy * layernorm(x)) with respect to x, gamma and beta: dx as x, dgamma (n), dbeta (n).
void layernorm_backward(tensor<const float, 3> x, tensor<const float, 1> gamma, tensor<const float, 3> dy, int axis,
                        float eps, tensor<float, 3> dx, tensor<float, 1> dgamma, tensor<float, 1> dbeta);

} // namespace softmax_layernorm

// The list that judge and worker build their calls from: (namespace, function, parameter names).
#define ASSAY_CONTRACT(FUNCTION)                                                                                       \
    FUNCTION(softmax_layernorm, softmax, "x axis y")                                                                   \
    FUNCTION(softmax_layernorm, log_softmax, "x axis y")                                                               \
    FUNCTION(softmax_layernorm, softmax_backward, "x dy axis dx")                                                      \
    FUNCTION(softmax_layernorm, layernorm, "x gamma beta axis eps y")                                                  \
    FUNCTION(softmax_layernorm, layernorm_backward, "x gamma dy axis eps dx dgamma dbeta")

#endif
