// Device functions beyond the C library's: intrinsics, min and max, bit operations, cached loads.
#ifndef ASSAY_SIMT_MATH_HPP
#define ASSAY_SIMT_MATH_HPP

#include "vector_types.hpp"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ASSAY_SIMT_EXTREMES(T)                                                                                         \
    constexpr T min(T a, T b) { return b < a ? b : a; }                                                                \
    constexpr T max(T a, T b) { return a < b ? b : a; }
ASSAY_SIMT_EXTREMES(int)
ASSAY_SIMT_EXTREMES(unsigned)
ASSAY_SIMT_EXTREMES(long)
ASSAY_SIMT_EXTREMES(unsigned long)
ASSAY_SIMT_EXTREMES(long long)
ASSAY_SIMT_EXTREMES(unsigned long long)
#undef ASSAY_SIMT_EXTREMES
constexpr unsigned min(int a, unsigned b) { return min(static_cast<unsigned>(a), b); }
constexpr unsigned min(unsigned a, int b) { return min(a, static_cast<unsigned>(b)); }
constexpr unsigned max(int a, unsigned b) { return max(static_cast<unsigned>(a), b); }
constexpr unsigned max(unsigned a, int b) { return max(a, static_cast<unsigned>(b)); }
// Of a number and a NaN the number, as CUDA has it.
inline float min(float a, float b) { return fminf(a, b); }
inline float max(float a, float b) { return fmaxf(a, b); }
inline double min(double a, double b) { return fmin(a, b); }
inline double max(double a, double b) { return fmax(a, b); }
inline double min(float a, double b) { return fmin(static_cast<double>(a), b); }
inline double min(double a, float b) { return fmin(a, static_cast<double>(b)); }
inline double max(float a, double b) { return fmax(static_cast<double>(a), b); }
inline double max(double a, float b) { return fmax(a, static_cast<double>(b)); }

inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
inline double rsqrt(double x) { return 1.0 / sqrt(x); }
inline float rsqrt(float x) { return rsqrtf(x); }
inline float rcbrtf(float x) { return 1.0f / cbrtf(x); }
#ifndef __USE_GNU
inline float exp10f(float x) { return powf(10.0f, x); }
inline double exp10(double x) { return pow(10.0, x); }
#endif
inline float normcdff(float x) { return 0.5f * erfcf(-x * 0.70710678f); }
inline float sinpif(float x) { return static_cast<float>(sin(static_cast<double>(x) * 3.14159265358979323846)); }
inline float cospif(float x) { return static_cast<float>(cos(static_cast<double>(x) * 3.14159265358979323846)); }

// Fast intrinsics give here what their exact neighbours give.
inline float __expf(float x) { return expf(x); }
inline float __exp10f(float x) { return powf(10.0f, x); }
inline float __logf(float x) { return logf(x); }
inline float __log2f(float x) { return log2f(x); }
inline float __log10f(float x) { return log10f(x); }
inline float __sinf(float x) { return sinf(x); }
inline float __cosf(float x) { return cosf(x); }
inline float __tanf(float x) { return tanf(x); }
inline float __powf(float x, float y) { return powf(x, y); }
inline float __fdividef(float x, float y) { return x / y; }
inline float __frcp_rn(float x) { return 1.0f / x; }
inline float __fsqrt_rn(float x) { return sqrtf(x); }
inline float __frsqrt_rn(float x) { return rsqrtf(x); }
inline float __fadd_rn(float x, float y) { return x + y; }
inline float __fsub_rn(float x, float y) { return x - y; }
inline float __fmul_rn(float x, float y) { return x * y; }
inline float __fdiv_rn(float x, float y) { return x / y; }
inline float __fmaf_rn(float x, float y, float z) { return fmaf(x, y, z); }
inline float __saturatef(float x) { return fminf(fmaxf(x, 0.0f), 1.0f); }

inline int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
inline unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
inline float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
inline float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
inline long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
inline double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
// Conversions saturate and take NaN to 0, which C++ leaves undefined.
inline int __float2int_rz(float x) {
    return x >= 2147483648.0f ? 2147483647 : x > -2147483648.0f ? static_cast<int>(x) : x == x ? -2147483647 - 1 : 0;
}
inline int __float2int_rn(float x) { return __float2int_rz(nearbyintf(x)); }
inline int __float2int_rd(float x) { return __float2int_rz(floorf(x)); }
inline int __float2int_ru(float x) { return __float2int_rz(ceilf(x)); }
inline float __int2float_rn(int x) { return static_cast<float>(x); }
inline float __uint2float_rn(unsigned x) { return static_cast<float>(x); }
inline float __double2float_rn(double x) { return static_cast<float>(x); }

inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x)); }
inline int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x)); }
inline unsigned __brev(unsigned x) {
    unsigned reversed = 0;
    for (int bit = 0; bit < 32; ++bit) reversed |= (x >> bit & 1u) << (31 - bit);
    return reversed;
}
inline int __mul24(int x, int y) { return static_cast<int>(static_cast<unsigned>(x) * static_cast<unsigned>(y)); }
inline int __mulhi(int x, int y) { return static_cast<int>((static_cast<long long>(x) * y) >> 32); }
inline unsigned __umulhi(unsigned x, unsigned y) {
    return static_cast<unsigned>((static_cast<unsigned long long>(x) * y) >> 32);
}

template <class T> T __ldg(const T* address) { return *address; }
template <class T> T __ldcs(const T* address) { return *address; }
template <class T> T __ldcg(const T* address) { return *address; }
template <class T> T __ldca(const T* address) { return *address; }
template <class T> void __stcs(T* address, T value) { *address = value; }
template <class T> void __stcg(T* address, T value) { *address = value; }
template <class T> void __stwt(T* address, T value) { *address = value; }

#endif
