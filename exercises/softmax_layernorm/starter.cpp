// Your attempt at `softmax_layernorm`. README.md beside this file says what is asked; contract.hpp has the exact
// signatures.
//
// Everything here compiles and runs, and gives zeros, which is wrong from level 1 on. Each function fails only the
// levels that ask it. Any standard header is welcome.
#include "contract.hpp"

#include <cmath>

namespace softmax_layernorm {

namespace {

void fill_with_zeros(tensor<float, 3> out) {
    for (int i = 0; i < out.extent(0); ++i)
        for (int j = 0; j < out.extent(1); ++j)
            for (int k = 0; k < out.extent(2); ++k) out(i, j, k) = 0;
}

} // namespace

// Levels softmax and softmax-range.
void softmax(tensor<const float, 3> x, int axis, tensor<float, 3> y) {
    // x(i, j, k) reads an element whatever the strides; x.extent(axis) is the length n of a slice, and its elements lie
    // x.stride(axis) floats apart. The two other axes count the slices.
    fill_with_zeros(y);
}

// Level log-softmax.
void log_softmax(tensor<const float, 3> x, int axis, tensor<float, 3> y) { fill_with_zeros(y); }

// Level softmax-backward.
void softmax_backward(tensor<const float, 3> x, tensor<const float, 3> dy, int axis, tensor<float, 3> dx) {
    fill_with_zeros(dx);
}

// Levels layernorm and layernorm-precision.
void layernorm(tensor<const float, 3> x, tensor<const float, 1> gamma, tensor<const float, 1> beta, int axis, float eps,
               tensor<float, 3> y) {
    fill_with_zeros(y);
}

// Level layernorm-backward.
void layernorm_backward(tensor<const float, 3> x, tensor<const float, 1> gamma, tensor<const float, 3> dy, int axis,
                        float eps, tensor<float, 3> dx, tensor<float, 1> dgamma, tensor<float, 1> dbeta) {
    fill_with_zeros(dx);
    for (int n = 0; n < dgamma.extent(0); ++n) dgamma(n) = dbeta(n) = 0;
}

} // namespace softmax_layernorm
