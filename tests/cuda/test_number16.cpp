// half and bfloat16 of the emulation: one rounding an operation, tried against exact arithmetic.
#include "host/include/cuda_bf16.h"
#include "host/include/cuda_fp16.h"

#include "catch.hpp"
#include <cmath>
#include <cstdint>

namespace {

/// The nearest number of the format by comparing its neighbours: x is exact in long double.
template <class N> unsigned short nearest(long double x) {
    N guess(static_cast<float>(x));
    unsigned short best = guess.bits;
    for (const int step : {-1, 0, 1}) {
        const auto bits = static_cast<unsigned short>(guess.bits + step);
        const long double value = static_cast<float>(N::from_bits(bits)),
                          known = static_cast<float>(N::from_bits(best));
        if (!std::isfinite(static_cast<float>(value)) || !std::isfinite(static_cast<float>(known))) continue;
        const long double off = std::fabs(value - x), known_off = std::fabs(known - x);
        if (off < known_off || (off == known_off && bits % 2 == 0)) best = bits;
    }
    return best;
}

std::uint64_t state = 1;
template <class N> N draw(unsigned exponents) { // around 1, where sums cancel and round
    state = state * 6364136223846793005u + 1442695040888963407u;
    const auto bits = static_cast<unsigned>(state >> 33);
    const float mantissa = 1.0f + static_cast<float>(bits % 1024) / 1024.0f;
    const float value = std::ldexp(mantissa, static_cast<int>(bits >> 10 & 1023) % static_cast<int>(exponents) -
                                                 static_cast<int>(exponents) / 2);
    return N(bits >> 21 & 1 ? -value : value);
}

template <class N> void try_all() {
    int wrong = 0;
    for (int i = 0; i < 20000; ++i) {
        const N a = draw<N>(12), b = draw<N>(12), c = draw<N>(24);
        const long double x = static_cast<float>(a), y = static_cast<float>(b), z = static_cast<float>(c);
        wrong += __hadd(a, b).bits != nearest<N>(x + y);
        wrong += (a * b).bits != nearest<N>(x * y);
        wrong += __hfma(a, b, c).bits != nearest<N>(x * y + z);
    }
    CHECK(wrong == 0);
}

} // namespace

TEST_CASE("Sums, products and fused products round once") {
    try_all<__half>();
    try_all<__nv_bfloat16>();
    // 1 + 2^-11 lies between two halves, 2^-40 decides: float's own rounding would lose it.
    CHECK(__hfma(__half(1.0f + 0x1p-10f), __half(1.0f), __half(0x1p-11f)).bits == __half(1.0f + 0x1p-9f).bits);
    CHECK(__half(1.0 + 0x1p-11 + 0x1p-40).bits == __half(1.0f + 0x1p-10f).bits);
    CHECK(__half(1.0 + 0x1p-11).bits == __half(1.0f).bits);
}

TEST_CASE("Special values, conversions and pairs") {
    CHECK(__hisnan(__half(0.0f) / __half(0.0f)));
    CHECK(__hisinf(__half(65504.0f) + __half(65504.0f)) == 1);
    CHECK(__half(65519).bits == __half(65504.0f).bits);
    CHECK(static_cast<float>(__hmax(__half(1.0f), __half(NAN))) == 1.0f);
    CHECK(__half2float(__habs(-__float2half(2.5f))) == 2.5f);
    CHECK(__half2int_rz(__half(-2.75f)) == -2);
    CHECK(__bfloat162float(__float2bfloat16(1.0f + 0x1p-9f)) == 1.0f);
    const __half2 pair = __hfma2(__floats2half2_rn(1.0f, 2.0f), __float2half2_rn(3.0f), __halves2half2(1, 2));
    CHECK(__low2float(pair) == 4.0f);
    CHECK(__half22float2(pair).y == 8.0f);
}
