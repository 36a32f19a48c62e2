// The kernels' one text, compiled once an instruction set: kernels_*.cpp set ASSAY_KERNELS and the compiler's flags.
//
// Why the namespace is renamed: Eigen is templates, which the linker merges by name. Two files with different -m flags
// would both bring Eigen::internal::gebp_kernel<...>, one of the two would be kept, and a machine without AVX-512 could
// be given the other's. A name of its own for each file's Eigen keeps them apart. For the same reason no standard
// template may come out of these files: hence raw pointers, and a test that reads the object files' weak symbols
// (tests/roofline/weak_symbols.cmake).
#ifdef ASSAY_HAVE_EIGEN

#define ASSAY_JOIN_(a, b) a##b
#define ASSAY_JOIN(a, b) ASSAY_JOIN_(a, b)
#define Eigen ASSAY_JOIN(Eigen_, ASSAY_KERNELS)
#define EIGEN_DONT_PARALLELIZE // our threads split the rows
#define EIGEN_MPL2_ONLY
#ifndef EIGEN_NO_DEBUG
#define EIGEN_NO_DEBUG
#endif

#include "roofline/kernels.hpp"

#include <Eigen/Core>

namespace assay::roofline {

#include "roofline/kernels_vector.hpp"

namespace {

using Stride = Eigen::OuterStride<>;
using ByRow = Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
using ByColumn = Eigen::Map<const Eigen::MatrixXf>;
using Array = Eigen::Map<Eigen::ArrayXf>;
using ConstArray = Eigen::Map<const Eigen::ArrayXf>;
using Strided = Eigen::Map<Eigen::ArrayXXf, 0, Stride>;
using ConstStrided = Eigen::Map<const Eigen::ArrayXXf, 0, Stride>;

// Tokens are columns here: what is [token, channel] in memory is Eigen's column-major [channel, token].
void gemm(const float* w, long rows, long depth, const float* x, long tokens, float* y, long stride) {
    Eigen::Map<Eigen::MatrixXf, 0, Stride> out(y, rows, tokens, Stride(stride)); // [rows, tokens]
    if (tokens == 1)
        out.col(0).noalias() = ByRow(w, rows, depth) * Eigen::Map<const Eigen::VectorXf>(x, depth);
    else
        out.noalias() = ByRow(w, rows, depth) * ByColumn(x, depth, tokens);
}

void leaky(float* y, long rows, long tokens, long stride) {
    Strided out(y, rows, tokens, Stride(stride));
    out = out.max(0.01f * out);
}

void gate(float* y, const float* up, long rows, long tokens, long stride) {
    Strided out(y, rows, tokens, Stride(stride));
    out = out.max(0.01f * out) * ConstStrided(up, rows, tokens, Stride(stride));
}

float sum(const float* from, long count) { return ConstArray(from, count).sum(); }

void copy(float* to, const float* from, long count) { Array(to, count) = ConstArray(from, count); }

void triad(float* to, const float* a, const float* b, float s, long count) {
    Array(to, count) = ConstArray(a, count) + s * ConstArray(b, count);
}

} // namespace

extern const Kernels ASSAY_JOIN(kernels_, ASSAY_KERNELS);
const Kernels ASSAY_JOIN(kernels_, ASSAY_KERNELS){
    ASSAY_KERNELS_NAME, gemm, leaky, gate, sum, copy, triad, multiply_adds, 2.0 * chains* lanes, exponentials};

} // namespace assay::roofline

#endif
