// The way back through one head of attention, in four right ways and two that lose precision, for the bound's trials.
#ifndef ASSAY_TESTS_TOLERANCE_BACKWARD_HPP
#define ASSAY_TESTS_TOLERANCE_BACKWARD_HPP

#include "data.hpp"

#include "core/problem.hpp"

#include <cstdint>
#include <vector>

namespace assay::tolerance {

/// dq (rows, D), dk (n, D), dv (n, Dv), row-major.
struct Gradients {
    std::vector<float> dq, dk, dv;

    explicit Gradients(const Shape& shape) : dq(shape.rows * shape.D), dk(shape.n * shape.D), dv(shape.n * shape.Dv) {}
};

struct BackwardVariant {
    const char* name;
    void (*run)(const Head& head, const float* dout, Gradients& to); // dout (rows, Dv); `to` holds zeros
};

/// Right: float32 throughout, in another order or with other operations. 4 of them.
std::vector<BackwardVariant> right_backward_variants();

/// Wrong: every sum over keys or rows is kept in 16 bits.
std::vector<BackwardVariant> wrong_backward_variants();

/// A normal dout (rows, Dv) for `data`.
std::vector<float> dout_for(const Data& data, std::uint64_t seed);

/// As a problem of `sdpa`'s attention_backward: one batch row, one head, no mask, the default scale.
Problem backward_problem(const Data& data, const std::vector<float>& dout);

/// Largest |gradient - exact| / bound over all three; infinite where one is no number.
double share_of_bound(const BackwardVariant& variant, const Data& data, const std::vector<float>& dout,
                      const Truths& truths);

} // namespace assay::tolerance

#endif
