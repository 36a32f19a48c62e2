// bfloat16 and its pairs on the CPU.
#ifndef ASSAY_CUDA_BF16_H
#define ASSAY_CUDA_BF16_H

#include "cuda_runtime.h"

#include "assay_simt/number16.hpp"

using __nv_bfloat16 = assay::simt::Number16<assay::simt::BfloatFormat>;
using __nv_bfloat162 = assay::simt::Pair16<assay::simt::BfloatFormat>;
using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;

constexpr __nv_bfloat16 __float2bfloat16(float x) { return x; }
constexpr __nv_bfloat16 __float2bfloat16_rn(float x) { return x; }
constexpr __nv_bfloat16 __double2bfloat16(double x) { return x; }
constexpr __nv_bfloat16 __int2bfloat16_rn(int x) { return x; }
constexpr __nv_bfloat16 __uint2bfloat16_rn(unsigned x) { return x; }
constexpr float __bfloat162float(__nv_bfloat16 x) { return x; }
inline int __bfloat162int_rn(__nv_bfloat16 x) { return __float2int_rn(x); }
inline int __bfloat162int_rz(__nv_bfloat16 x) { return __float2int_rz(x); }
constexpr __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) { return __nv_bfloat16::from_bits(bits); }
constexpr unsigned short __bfloat16_as_ushort(__nv_bfloat16 x) { return x.bits; }
constexpr __nv_bfloat16 __short_as_bfloat16(short bits) {
    return __nv_bfloat16::from_bits(static_cast<unsigned short>(bits));
}
constexpr short __bfloat16_as_short(__nv_bfloat16 x) { return static_cast<short>(x.bits); }

constexpr __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return {x, y}; }
constexpr __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return {x, y}; }
constexpr __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 x) { return {x, x}; }
constexpr __nv_bfloat162 __float2bfloat162_rn(float x) { return {x, x}; }
constexpr __nv_bfloat162 __floats2bfloat162_rn(float x, float y) { return {x, y}; }
constexpr __nv_bfloat162 __float22bfloat162_rn(float2 x) { return {x.x, x.y}; }
constexpr float2 __bfloat1622float2(__nv_bfloat162 x) { return {x.x, x.y}; }
constexpr __nv_bfloat16 __low2bfloat16(__nv_bfloat162 x) { return x.x; }
constexpr __nv_bfloat16 __high2bfloat16(__nv_bfloat162 x) { return x.y; }
constexpr __nv_bfloat162 __low2bfloat162(__nv_bfloat162 x) { return {x.x, x.x}; }
constexpr __nv_bfloat162 __high2bfloat162(__nv_bfloat162 x) { return {x.y, x.y}; }
constexpr __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return {a.x, b.x}; }
constexpr __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return {a.y, b.y}; }

#endif
