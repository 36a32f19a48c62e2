// One head of attention, written in the many ways that careful people write it in float32, and in the ways that lose
// precision. The trials of the error bound run them all.
#ifndef ASSAY_TESTS_TOLERANCE_VARIANTS_HPP
#define ASSAY_TESTS_TOLERANCE_VARIANTS_HPP

#include <cstddef>
#include <vector>

namespace assay::tolerance {

/// q (rows, D), k (n, D), v (n, Dv), all row-major; every row attends every key, n >= 1. The scale is 1/sqrt(D).
struct Head {
    std::size_t rows = 0, n = 0, D = 0, Dv = 0;
    const float* q = nullptr;
    const float* k = nullptr;
    const float* v = nullptr;
};

struct Variant {
    const char* name;
    void (*run)(const Head& head, float* out); // out (rows, Dv)
};

/// Right: float32 throughout, in another order or with other operations. 15 of them.
std::vector<Variant> right_variants();

/// Wrong: some quantity that the contract keeps in float32 is kept in less.
std::vector<Variant> wrong_variants();

/// The plain three passes, compiled with -ffast-math.
void fast_math(const Head& head, float* out);

/// Whether this machine can flush subnormal numbers to zero; where it cannot, that variant is the plain one.
bool can_flush_to_zero();

} // namespace assay::tolerance

#endif
