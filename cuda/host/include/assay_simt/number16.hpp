// Arithmetic on 16-bit floats: each operation is done in float, or wider, and rounded once, as the hardware does it.
#ifndef ASSAY_SIMT_NUMBER16_HPP
#define ASSAY_SIMT_NUMBER16_HPP

#include "sync.hpp"

#include "math.hpp"

#include <assay/half.hpp>

namespace assay::simt {

/// Rounds towards zero and makes what is cut off stick: a second rounding, to fewer bits, then rounds as if it were the
/// only one (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", 2008).
constexpr float to_odd(double x) {
    const float nearest = static_cast<float>(x);
    if (static_cast<double>(nearest) == x || x != x) return nearest;
    const unsigned bits = __builtin_bit_cast(unsigned, nearest);
    const bool away = x > 0 ? static_cast<double>(nearest) > x : static_cast<double>(nearest) < x;
    return __builtin_bit_cast(float, (away ? bits - 1 : bits) | 1u);
}

/// a b + c, rounded to odd: the product of two 16-bit floats is exact in double.
constexpr double fma_to_odd(float a, float b, float c) {
    const double product = static_cast<double>(a) * static_cast<double>(b), addend = c, sum = product + addend;
    const double part = sum - product, error = (product - (sum - part)) + (addend - part);
    if (!(error != 0) || sum - sum != 0) return sum; // exact, infinite or NaN
    const unsigned long long bits = __builtin_bit_cast(unsigned long long, sum);
    return __builtin_bit_cast(double, ((sum > 0) == (error < 0) ? bits - 1 : bits) | 1u);
}

struct HalfFormat {
    static constexpr unsigned short encode(float x) { return ::assay::detail::float_to_half(x); }
    static constexpr float decode(unsigned short bits) { return ::assay::detail::half_to_float(bits); }
};
struct BfloatFormat {
    static constexpr unsigned short encode(float x) { return ::assay::detail::float_to_bfloat16(x); }
    static constexpr float decode(unsigned short bits) { return ::assay::detail::bfloat16_to_float(bits); }
};

/// __half and __nv_bfloat16. Functions are friends, so that they take whatever converts, and no header's overload of
/// one is ambiguous with the other's.
template <class Format> struct Number16 {
    unsigned short bits;

    Number16() = default;
    constexpr Number16(float x) : bits(Format::encode(x)) {}
    constexpr Number16(double x) : bits(Format::encode(to_odd(x))) {}
    constexpr Number16(int x) : Number16(static_cast<double>(x)) {}
    constexpr Number16(unsigned x) : Number16(static_cast<double>(x)) {}
    constexpr Number16(short x) : Number16(static_cast<double>(x)) {}
    constexpr Number16(unsigned short x) : Number16(static_cast<double>(x)) {}
    constexpr Number16(long x) : Number16(static_cast<double>(x)) {}
    constexpr Number16(unsigned long x) : Number16(static_cast<double>(x)) {}
    constexpr Number16(long long x) : Number16(static_cast<double>(x)) {}
    constexpr Number16(unsigned long long x) : Number16(static_cast<double>(x)) {}
    constexpr operator float() const { return Format::decode(bits); }

    static constexpr Number16 from_bits(unsigned short bits) {
        Number16 number{};
        number.bits = bits;
        return number;
    }

#define ASSAY_SIMT_ARITHMETIC(op, name)                                                                                \
    friend constexpr Number16 operator op(Number16 a, Number16 b) {                                                    \
        return static_cast<float>(a) op static_cast<float>(b);                                                         \
    }                                                                                                                  \
    friend constexpr Number16& operator op##=(Number16& a, Number16 b) { return a = a op b; }                          \
    friend constexpr Number16 name(Number16 a, Number16 b) { return a op b; }                                          \
    friend constexpr Number16 name##_rn(Number16 a, Number16 b) { return a op b; }
    ASSAY_SIMT_ARITHMETIC(+, __hadd)
    ASSAY_SIMT_ARITHMETIC(-, __hsub)
    ASSAY_SIMT_ARITHMETIC(*, __hmul)
    ASSAY_SIMT_ARITHMETIC(/, __hdiv)
#undef ASSAY_SIMT_ARITHMETIC
#define ASSAY_SIMT_COMPARISON(op, name)                                                                                \
    friend constexpr bool operator op(Number16 a, Number16 b) {                                                        \
        return static_cast<float>(a) op static_cast<float>(b);                                                         \
    }                                                                                                                  \
    friend constexpr bool name(Number16 a, Number16 b) { return a op b; }
    ASSAY_SIMT_COMPARISON(==, __heq)
    ASSAY_SIMT_COMPARISON(!=, __hne)
    ASSAY_SIMT_COMPARISON(<, __hlt)
    ASSAY_SIMT_COMPARISON(<=, __hle)
    ASSAY_SIMT_COMPARISON(>, __hgt)
    ASSAY_SIMT_COMPARISON(>=, __hge)
#undef ASSAY_SIMT_COMPARISON
    friend constexpr Number16 operator-(Number16 a) { return from_bits(a.bits ^ 0x8000u); }
    friend constexpr Number16 operator+(Number16 a) { return a; }
    friend constexpr Number16 __hneg(Number16 a) { return -a; }
    friend constexpr Number16 __habs(Number16 a) { return from_bits(a.bits & 0x7fffu); }
    friend constexpr Number16 __hfma(Number16 a, Number16 b, Number16 c) { return fma_to_odd(a, b, c); }
    friend Number16 __hfma_relu(Number16 a, Number16 b, Number16 c) { return __hmax(__hfma(a, b, c), Number16(0.0f)); }
    friend Number16 __hmax(Number16 a, Number16 b) { return fmaxf(a, b); }
    friend Number16 __hmin(Number16 a, Number16 b) { return fminf(a, b); }
    friend bool __hisnan(Number16 a) { return __builtin_isnan(static_cast<float>(a)); }
    friend int __hisinf(Number16 a) { return __builtin_isinf_sign(static_cast<float>(a)); }
    // Correctly rounded but for rare cases: CUDA promises 2 ulp.
    friend Number16 hexp(Number16 a) { return expf(a); }
    friend Number16 hexp2(Number16 a) { return exp2f(a); }
    friend Number16 hlog(Number16 a) { return logf(a); }
    friend Number16 hlog2(Number16 a) { return log2f(a); }
    friend Number16 hsqrt(Number16 a) { return sqrtf(a); }
    friend Number16 hrsqrt(Number16 a) { return rsqrtf(a); }
    friend Number16 hrcp(Number16 a) { return 1.0f / static_cast<float>(a); }
    friend Number16 hsin(Number16 a) { return sinf(a); }
    friend Number16 hcos(Number16 a) { return cosf(a); }
    friend Number16 htanh(Number16 a) { return tanhf(a); }
    friend Number16 hfloor(Number16 a) { return floorf(a); }
    friend Number16 hceil(Number16 a) { return ceilf(a); }
    friend Number16 hrint(Number16 a) { return nearbyintf(a); }
    friend Number16 htrunc(Number16 a) { return truncf(a); }
};

/// __half2 and __nv_bfloat162.
template <class Format> struct alignas(4) Pair16 {
    using Number = Number16<Format>;
    Number x, y;

    Pair16() = default;
    constexpr Pair16(Number low, Number high) : x(low), y(high) {}

#define ASSAY_SIMT_PAIRWISE(op, name)                                                                                  \
    friend constexpr Pair16 operator op(Pair16 a, Pair16 b) { return {a.x op b.x, a.y op b.y}; }                       \
    friend constexpr Pair16& operator op##=(Pair16& a, Pair16 b) { return a = a op b; }                                \
    friend constexpr Pair16 name(Pair16 a, Pair16 b) { return a op b; }
    ASSAY_SIMT_PAIRWISE(+, __hadd2)
    ASSAY_SIMT_PAIRWISE(-, __hsub2)
    ASSAY_SIMT_PAIRWISE(*, __hmul2)
    ASSAY_SIMT_PAIRWISE(/, __h2div)
#undef ASSAY_SIMT_PAIRWISE
    friend constexpr Pair16 operator-(Pair16 a) { return {-a.x, -a.y}; }
    friend constexpr bool operator==(Pair16 a, Pair16 b) { return a.x == b.x && a.y == b.y; }
    friend constexpr Pair16 __hneg2(Pair16 a) { return -a; }
    friend constexpr Pair16 __habs2(Pair16 a) { return {__habs(a.x), __habs(a.y)}; }
    friend constexpr Pair16 __hfma2(Pair16 a, Pair16 b, Pair16 c) {
        return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
    }
    friend Pair16 __hmax2(Pair16 a, Pair16 b) { return {__hmax(a.x, b.x), __hmax(a.y, b.y)}; }
    friend Pair16 __hmin2(Pair16 a, Pair16 b) { return {__hmin(a.x, b.x), __hmin(a.y, b.y)}; }
    friend Pair16 h2exp(Pair16 a) { return {hexp(a.x), hexp(a.y)}; }
    friend Pair16 h2exp2(Pair16 a) { return {hexp2(a.x), hexp2(a.y)}; }
    friend Pair16 h2log(Pair16 a) { return {hlog(a.x), hlog(a.y)}; }
    friend Pair16 h2sqrt(Pair16 a) { return {hsqrt(a.x), hsqrt(a.y)}; }
    friend Pair16 h2rsqrt(Pair16 a) { return {hrsqrt(a.x), hrsqrt(a.y)}; }
    friend Pair16 h2rcp(Pair16 a) { return {hrcp(a.x), hrcp(a.y)}; }
    friend constexpr float __low2float(Pair16 a) { return a.x; }
    friend constexpr float __high2float(Pair16 a) { return a.y; }
};

} // namespace assay::simt

#endif
