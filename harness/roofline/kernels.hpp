// The arithmetic that --here times: Eigen's matrix product and three ways to go through memory, once for each
// instruction set. Raw pointers only: see kernels_eigen.hpp for why.
#ifndef ASSAY_ROOFLINE_KERNELS_HPP
#define ASSAY_ROOFLINE_KERNELS_HPP

#include <vector>

namespace assay::roofline {

struct Kernels {
    const char* name; // "x86-64", "AVX2", "AVX-512"; "portable" where it is no x86-64
    /// y[t, r] = sum over k of w[r, k] x[t, k], all rows contiguous but y's, which lie `stride` apart.
    void (*gemm)(const float* w, long rows, long depth, const float* x, long tokens, float* y, long stride);
    /// y[t, r] = leaky(y[t, r]), leaky(v) = max(v, 0.01 v).
    void (*leaky)(float* y, long rows, long tokens, long stride);
    /// y[t, r] = leaky(y[t, r]) up[t, r].
    void (*gate)(float* y, const float* up, long rows, long tokens, long stride);
    float (*sum)(const float* from, long count);
    void (*copy)(float* to, const float* from, long count);
    /// to = a + s b.
    void (*triad)(float* to, const float* a, const float* b, float s, long count);
    /// Independent multiply-adds on registers, flops_a_round each round. What it gives means nothing.
    float (*multiply_adds)(long rounds);
    double flops_a_round;
    /// to = exp(from), for from in [-80, 80]; count in whole vectors (a multiple of 16).
    void (*exponentials)(float* to, const float* from, long count);
};

/// Those that this processor can run, the widest last; empty where Assay was built without Eigen.
std::vector<const Kernels*> usable_kernels();

} // namespace assay::roofline

#endif
