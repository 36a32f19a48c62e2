// half and half2 on the CPU.
#ifndef ASSAY_CUDA_FP16_H
#define ASSAY_CUDA_FP16_H

#include "cuda_runtime.h"

#include "assay_simt/number16.hpp"

using __half = assay::simt::Number16<assay::simt::HalfFormat>;
using __half2 = assay::simt::Pair16<assay::simt::HalfFormat>;
using half = __half;
using half2 = __half2;

constexpr __half __float2half(float x) { return x; }
constexpr __half __float2half_rn(float x) { return x; }
constexpr __half __double2half(double x) { return x; }
constexpr __half __int2half_rn(int x) { return x; }
constexpr __half __uint2half_rn(unsigned x) { return x; }
constexpr float __half2float(__half x) { return x; }
inline int __half2int_rn(__half x) { return __float2int_rn(x); }
inline int __half2int_rz(__half x) { return __float2int_rz(x); }
constexpr __half __ushort_as_half(unsigned short bits) { return __half::from_bits(bits); }
constexpr unsigned short __half_as_ushort(__half x) { return x.bits; }
constexpr __half __short_as_half(short bits) { return __half::from_bits(static_cast<unsigned short>(bits)); }
constexpr short __half_as_short(__half x) { return static_cast<short>(x.bits); }

constexpr __half2 make_half2(__half x, __half y) { return {x, y}; }
constexpr __half2 __halves2half2(__half x, __half y) { return {x, y}; }
constexpr __half2 __half2half2(__half x) { return {x, x}; }
constexpr __half2 __float2half2_rn(float x) { return {x, x}; }
constexpr __half2 __floats2half2_rn(float x, float y) { return {x, y}; }
constexpr __half2 __float22half2_rn(float2 x) { return {x.x, x.y}; }
constexpr float2 __half22float2(__half2 x) { return {x.x, x.y}; }
constexpr __half __low2half(__half2 x) { return x.x; }
constexpr __half __high2half(__half2 x) { return x.y; }
constexpr __half2 __low2half2(__half2 x) { return {x.x, x.x}; }
constexpr __half2 __high2half2(__half2 x) { return {x.y, x.y}; }
constexpr __half2 __lows2half2(__half2 a, __half2 b) { return {a.x, b.x}; }
constexpr __half2 __highs2half2(__half2 a, __half2 b) { return {a.y, b.y}; }

#endif
