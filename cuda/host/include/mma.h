// WMMA on the CPU: a warp's product of small matrices, made by the lane that comes last. Which element a lane holds is
// not specified by CUDA, and is not what a GPU does.
#ifndef ASSAY_CUDA_MMA_H
#define ASSAY_CUDA_MMA_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace nvcuda::wmma {

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
namespace precision {
struct tf32;
}
enum layout_t { mem_row_major, mem_col_major };

namespace detail {

using ::assay::simt::Where;

template <class A, class B> inline constexpr bool same = false;
template <class A> inline constexpr bool same<A, A> = true;

template <class T> struct Stored { // as it lies in registers and memory
    using type = T;
};
template <> struct Stored<precision::tf32> { using type = float; };
template <class T> struct Summed { // in what products of it are added up
    using type = float;
};
template <> struct Summed<double> { using type = double; };
template <> struct Summed<signed char> { using type = int; };
template <> struct Summed<unsigned char> { using type = int; };

constexpr bool known_shape(int m, int n, int k, bool tf32, bool fp64) {
    if (fp64) return m == 8 && n == 8 && k == 4;
    if (tf32) return m == 16 && n == 16 && k == 8;
    return k == 16 && ((m == 16 && n == 16) || (m == 32 && n == 8) || (m == 8 && n == 32));
}

} // namespace detail

template <class Use, int m, int n, int k, class T, class Layout = void> class fragment {
    static constexpr bool sum = detail::same<Use, accumulator>, is_tf32 = detail::same<T, precision::tf32>,
                          is_fp64 = detail::same<T, double>;
    static_assert(detail::same<T, __half> || detail::same<T, __nv_bfloat16> || is_tf32 || is_fp64 ||
                      detail::same<T, signed char> || detail::same<T, unsigned char> ||
                      (sum && (detail::same<T, float> || detail::same<T, int>)),
                  "the CPU emulation of CUDA has WMMA of half, bfloat16, tf32, double and 8-bit integers");
    static_assert(detail::known_shape(m, n, k, is_tf32, is_fp64) || (sum && detail::known_shape(m, n, k, true, false)),
                  "WMMA has the shapes 16x16x16, 32x8x16 and 8x32x16, 16x16x8 for tf32, and 8x8x4 for double");
    static_assert(sum || detail::same<Layout, row_major> || detail::same<Layout, col_major>,
                  "a fragment of matrix_a or matrix_b names its layout, row_major or col_major");

  public:
    using element_type = T;
    using storage_element_type = typename detail::Stored<T>::type;
    using layout = Layout;
    static constexpr int rows = detail::same<Use, matrix_b> ? k : m, columns = detail::same<Use, matrix_a> ? k : n;
    enum { num_elements = rows * columns / 32, num_storage_elements = num_elements };
    storage_element_type x[num_elements];

    fragment() { // what is not filled is poison
        for (auto& element : x) ::assay::simt::fill_with_poison(element);
    }
};

namespace detail {

struct Access {
    const void* memory;
    unsigned leading;
    Where where;
};

/// Every lane of a warp makes the same access.
inline void agree(void* const* slots, unsigned lanes) {
    const Access* first = nullptr;
    for (unsigned lane = 0; lane < 32; ++lane) {
        if ((lanes >> lane & 1) == 0) continue;
        const auto* access = static_cast<const Access*>(slots[lane]);
        if (first == nullptr) first = access;
        if (access->memory != first->memory || access->leading != first->leading)
            ::assay::simt::undefined(
                "wmma", "lanes of one warp give a WMMA call different addresses or leading dimensions", access->where);
    }
}

template <class S> void together(const char* operation, const S* memory, unsigned leading, Where where) {
    if (reinterpret_cast<unsigned long long>(memory) % 32 != 0)
        ::assay::simt::undefined("wmma", "a WMMA load or store needs an address that is a multiple of 32 bytes", where);
    if (leading * sizeof(S) % 16 != 0)
        ::assay::simt::undefined("wmma", "the leading dimension of a WMMA load or store must be a multiple of 16 bytes",
                                 where);
    Access access{memory, leading, where};
    ::assay::simt::meet({operation, 0xffffffffu, &access, agree, where});
}

template <class F> unsigned long long offset(int i, unsigned leading, bool by_row) {
    const unsigned element = static_cast<unsigned>(i) * 32 + ::assay::simt::lane();
    const unsigned row = element / F::columns, column = element % F::columns;
    return by_row ? 1ull * row * leading + column : 1ull * column * leading + row;
}

template <class F>
void load(F& to, const typename F::storage_element_type* from, unsigned leading, bool by_row, Where where) {
    together("load_matrix_sync", from, leading, where);
    for (int i = 0; i < F::num_elements; ++i) to.x[i] = from[offset<F>(i, leading, by_row)];
}

/// A fragment's elements from all lanes; those of lanes that are not there stay poison.
template <class F, class S>
void gather(void* const* slots, unsigned lanes, const void* (*member)(const void*), S* all) {
    for (int e = 0; e < F::rows * F::columns; ++e) {
        if (lanes >> (e % 32) & 1)
            all[e] = static_cast<S>(static_cast<const F*>(member(slots[e % 32]))->x[e / 32]);
        else
            ::assay::simt::fill_with_poison(all[e]);
    }
}

struct Product {
    void* d;
    const void *a, *b, *c;
};

template <class D, class A, class B, class C> void multiply(void* const* slots, unsigned lanes) {
    using S = typename Summed<typename A::element_type>::type;
    S a[A::rows * A::columns], b[B::rows * B::columns], sums[C::rows * C::columns];
    gather<A>(
        slots, lanes, [](const void* slot) { return static_cast<const Product*>(slot)->a; }, a);
    gather<B>(
        slots, lanes, [](const void* slot) { return static_cast<const Product*>(slot)->b; }, b);
    gather<C>(
        slots, lanes, [](const void* slot) { return static_cast<const Product*>(slot)->c; }, sums);
    for (int i = 0; i < C::rows; ++i)
        for (int j = 0; j < C::columns; ++j)
            for (int l = 0; l < A::columns; ++l)
                sums[i * C::columns + j] += a[i * A::columns + l] * b[l * B::columns + j];
    for (int e = 0; e < D::rows * D::columns; ++e)
        if (lanes >> (e % 32) & 1)
            static_cast<D*>(static_cast<const Product*>(slots[e % 32])->d)->x[e / 32] =
                static_cast<typename D::storage_element_type>(sums[e]);
}

} // namespace detail

template <class Use, int m, int n, int k, class T, class L>
void load_matrix_sync(fragment<Use, m, n, k, T, L>& to, const typename detail::Stored<T>::type* from, unsigned leading,
                      detail::Where where = ASSAY_SIMT_HERE) {
    static_assert(!detail::same<Use, accumulator>,
                  "an accumulator is loaded with its layout: mem_row_major or another");
    detail::load(to, from, leading, detail::same<L, row_major>, where);
}
template <int m, int n, int k, class T> void load_matrix_sync(fragment<accumulator, m, n, k, T>& to, const T* from,
                                                              unsigned leading, layout_t layout,
                                                              detail::Where where = ASSAY_SIMT_HERE) {
    detail::load(to, from, leading, layout == mem_row_major, where);
}
template <int m, int n, int k, class T> void store_matrix_sync(T* to, const fragment<accumulator, m, n, k, T>& from,
                                                               unsigned leading, layout_t layout,
                                                               detail::Where where = ASSAY_SIMT_HERE) {
    using F = fragment<accumulator, m, n, k, T>;
    detail::together("store_matrix_sync", to, leading, where);
    for (int i = 0; i < F::num_elements; ++i) to[detail::offset<F>(i, leading, layout == mem_row_major)] = from.x[i];
}
template <class Use, int m, int n, int k, class T, class L, class V>
void fill_fragment(fragment<Use, m, n, k, T, L>& fragment, const V& value) {
    for (auto& element : fragment.x) element = static_cast<typename detail::Stored<T>::type>(value);
}
template <int m, int n, int k, class TA, class LA, class TB, class LB, class TC, class TD>
void mma_sync(fragment<accumulator, m, n, k, TD>& d, const fragment<matrix_a, m, n, k, TA, LA>& a,
              const fragment<matrix_b, m, n, k, TB, LB>& b, const fragment<accumulator, m, n, k, TC>& c, bool = false,
              detail::Where where = ASSAY_SIMT_HERE) {
    static_assert(detail::same<TA, TB>, "both factors of a WMMA product have one type");
    detail::Product product{&d, &a, &b, &c};
    ::assay::simt::meet({"mma_sync", 0xffffffffu, &product,
                         detail::multiply<fragment<accumulator, m, n, k, TD>, fragment<matrix_a, m, n, k, TA, LA>,
                                          fragment<matrix_b, m, n, k, TB, LB>, fragment<accumulator, m, n, k, TC>>,
                         where});
}
/// Rounds to nearest, ties away from zero, to 10 bits of mantissa.
inline float __float_to_tf32(float x) {
    if (x - x != 0) return x;
    return __uint_as_float((__float_as_uint(x) + 0x1000u) & 0xffffe000u);
}

} // namespace nvcuda::wmma

#endif
