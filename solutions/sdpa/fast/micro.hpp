// Included once an instruction set, inside its namespace: the product of a few broadcast numbers with vectors, and
// exp2.

using Lanes = hn::ScalableTag<float>;
using V = hn::Vec<Lanes>;
constexpr Lanes lanes;
constexpr Index N = static_cast<Index>(hn::MaxLanes(lanes));

// 4 x 3 accumulators fill the 16 registers of AVX2 (3 vectors, 1 broadcast), 8 x 3 the 32 of AVX-512. Both keep more
// products in flight than latency times throughput (5 x 2), and load less than one operand a product.
constexpr int tall = N == 16 ? 8 : 4;
constexpr int wide = 3;

template <int MR, int NR> HWY_INLINE void clear(V (&sum)[MR][NR]) {
#pragma GCC unroll 12
    for (int m = 0; m < MR; ++m)
#pragma GCC unroll 3
        for (int n = 0; n < NR; ++n) sum[m][n] = hn::Zero(lanes);
}

/// sum[m][n] += Σ_x a[m * a_row + x * a_step] · vector n of b at x; b (steps, NR * N).
template <int MR, int NR> HWY_INLINE void accumulate(const float* HWY_RESTRICT a, Index a_row, Index a_step,
                                                     const float* HWY_RESTRICT b, Index steps, V (&sum)[MR][NR]) {
#pragma GCC unroll 4 // 16 turns for 64 features: the end of such a loop is foreseen, that of one of 64 is not
    for (Index x = 0; x < steps; ++x, a += a_step, b += NR * N) {
        V column[NR];
#pragma GCC unroll 3
        for (int n = 0; n < NR; ++n) column[n] = hn::Load(lanes, b + n * N);
#pragma GCC unroll 12
        for (int m = 0; m < MR; ++m) {
            const V one = hn::Set(lanes, a[m * a_row]);
#pragma GCC unroll 3
            for (int n = 0; n < NR; ++n) sum[m][n] = hn::MulAdd(one, column[n], sum[m][n]);
        }
    }
}

template <int MR, int NR> HWY_INLINE void product(const float* HWY_RESTRICT a, Index a_row, Index a_step,
                                                  const float* HWY_RESTRICT b, Index steps, V (&sum)[MR][NR]) {
    clear<MR, NR>(sum);
    accumulate<MR, NR>(a, a_row, a_step, b, steps, sum);
}

/// A factor in two parts: rounded to one float it would stretch every exponent alike.
struct Exponent {
    V high, low;
};

/// By what products' differences become exponents of 2: the scale's size times log2 e.
HWY_INLINE Exponent exponent_of(float scale) {
    const double factor = scale == 0 ? 1.0 : std::abs(static_cast<double>(scale)) * 1.4426950408889634;
    const auto high = static_cast<float>(factor);
    return {hn::Set(lanes, high), hn::Set(lanes, static_cast<float>(factor - static_cast<double>(high)))};
}

/// 2^(x c) for x c <= 0. The product is never rounded: it enters fused operations. Below 2^-126 it is 0.
/// Relative error 2.6e-9 (degree 6 through the Chebyshev points of [-1/2, 1/2]) beside the rounding of its steps.
HWY_INLINE V exp2_of_product(V x, const Exponent& c) {
    const hn::RebindToSigned<Lanes> integers;
    const V magic = hn::Set(lanes, 12582912.0f); // 1.5 · 2^23: adding it rounds to an integer
    const V shifted = hn::MulAdd(x, c.high, magic);
    const V rest = hn::MulAdd(x, c.low, hn::MulSub(x, c.high, hn::Sub(shifted, magic)));
    // Even and odd powers apart: a shorter chain keeps more exponentials in flight than Horner's.
    const V square = hn::Mul(rest, rest);
    const V c12 = hn::MulAdd(hn::Set(lanes, 2.4022650922e-1f), rest, hn::Set(lanes, 6.9314720670e-1f));
    const V c34 = hn::MulAdd(hn::Set(lanes, 9.6180566785e-3f), rest, hn::Set(lanes, 5.5503272267e-2f));
    const V c56 = hn::MulAdd(hn::Set(lanes, 1.5461444698e-4f), rest, hn::Set(lanes, 1.3400428178e-3f));
    const V slope = hn::MulAdd(hn::MulAdd(c56, square, c34), square, c12);
    const V p = hn::MulAdd(slope, rest, hn::Set(lanes, 1.0f));
    const auto power = hn::ShiftLeft<23>(hn::BitCast(integers, shifted));
    const V scaled = hn::BitCast(lanes, hn::Add(hn::BitCast(integers, p), power));
    // NaN is not below: it stays, and is found in the result.
    return hn::IfThenZeroElse(hn::Lt(shifted, hn::Set(lanes, 12582912.0f - 126.0f)), scaled);
}
