// What the attention kernels share: which keys a row may attend, and where a head's rows lie.
#ifndef ASSAY_CUDA_KERNELS_SDPA_CUH
#define ASSAY_CUDA_KERNELS_SDPA_CUH

#include "checked.hpp"
#include "kernels.hpp"

namespace assay::kernels {

inline constexpr int widest = 256;

/// The rows of one batch entry and head.
template <class T> struct Rows {
    T* data;
    long long row, column;
    __device__ Rows(const View<T>& view, int b, int h)
        : data(view.data + b * view.batch + h * view.head), row(view.row), column(view.column) {}
    __device__ T& operator()(int i, int c) const { return data[i * row + c * column]; }
};

/// Which keys the rows of one query head may attend.
struct Allowed {
    const bool* mask;
    long long row, column;
    int reach, lk; // row i attends keys up to i + reach
    template <class T> __device__ Allowed(const Sdpa<T>& problem, int b, int h)
        : mask(problem.mask.data), row(problem.mask.row), column(problem.mask.column),
          reach(problem.causal ? problem.shape.lk - problem.shape.lq : problem.shape.lk), lk(problem.shape.lk) {
        if (mask != nullptr) mask += b * problem.mask.batch + h * problem.mask.head;
    }
    __device__ bool operator()(int i, int j) const {
        return j < lk && j <= i + reach && (mask == nullptr || mask[i * row + j * column]);
    }
    /// Keys from here on are not attended by row i, nor by any before it.
    __device__ int end(int i) const { return max(0, min(lk, i + reach + 1)); }
};

/// Throws where the kernels cannot do it. False: there is no output at all.
template <class T> bool anything(const Sdpa<T>& problem) {
    const SdpaShape& s = problem.shape;
    require(s.batch >= 0 && s.q_heads >= 0 && s.kv_heads >= 1 && s.q_heads % s.kv_heads == 0,
            "attention: there must be a whole number of query heads for each key and value head");
    require(s.lq >= 0 && s.lk >= 0 && s.d >= 1 && s.d <= widest && s.dv >= 1 && s.dv <= widest,
            "attention: lengths must not be negative, and heads must be 1 to 256 wide");
    require(s.batch <= 65535 && s.q_heads <= 65535, "attention: a grid has room for 65535 heads and batch entries");
    return s.batch > 0 && s.q_heads > 0 && s.lq > 0;
}

/// The score of two rows of `width`, unscaled.
__device__ inline float dot(const float* a, const float* b, int width) {
    float sum = 0.0f;
    for (int c = 0; c < width; ++c) sum += a[c] * b[c];
    return sum;
}

/// Copies rows first ... first + rows - 1 of a head to shared memory, zeros where there are none or no columns.
template <int rows, int width, class T>
__device__ void stage(T (&to)[rows][width + 1], const Rows<const T>& from, int first, int length, int columns) {
    for (int e = threadIdx.x; e < rows * width; e += blockDim.x) {
        const int r = e / width, c = e % width;
        to[r][c] = first + r < length && c < columns ? from(first + r, c) : T(0);
    }
}

} // namespace assay::kernels

#endif
