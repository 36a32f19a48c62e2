// Storage types of 16 bits: IEEE 754 binary16 (half) and bfloat16. They store; arithmetic is done in float.
// Conversions round to nearest, ties to even, keep infinities, and turn every NaN into a quiet NaN.
#ifndef ASSAY_HALF_HPP
#define ASSAY_HALF_HPP

#include <cstdint>

#ifndef ASSAY_HD
#ifdef __CUDACC__
#define ASSAY_HD __host__ __device__
#else
#define ASSAY_HD
#endif
#endif

namespace assay {

namespace detail {

ASSAY_HD constexpr std::uint32_t bits_of(float value) { return __builtin_bit_cast(std::uint32_t, value); }
ASSAY_HD constexpr float float_of(std::uint32_t bits) { return __builtin_bit_cast(float, bits); }

ASSAY_HD constexpr std::uint16_t float_to_half(float value) {
    const std::uint32_t bits = bits_of(value);
    const std::uint32_t sign = (bits >> 16) & 0x8000u;
    const std::uint32_t magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u) return static_cast<std::uint16_t>(sign | 0x7e00u);
    if (magnitude >= 0x477ff000u) return static_cast<std::uint16_t>(sign | 0x7c00u); // 65520 and above round to inf
    if (magnitude < 0x33000001u) return static_cast<std::uint16_t>(sign);            // 2^-25 and below round to 0
    std::uint32_t mantissa = magnitude & 0x7fffffu;
    const int exponent = static_cast<int>(magnitude >> 23) - 127 + 15;
    int shift = 13;
    std::uint32_t base = 0;
    if (exponent <= 0) { // subnormal half: the hidden bit joins the mantissa
        mantissa |= 0x800000u;
        shift += 1 - exponent;
    } else {
        base = static_cast<std::uint32_t>(exponent) << 10;
    }
    const std::uint32_t rest = mantissa & ((1u << shift) - 1u);
    const std::uint32_t middle = 1u << (shift - 1);
    std::uint32_t result = base + (mantissa >> shift);
    if (rest > middle || (rest == middle && (result & 1u) != 0)) ++result;
    return static_cast<std::uint16_t>(sign | result);
}

ASSAY_HD constexpr float half_to_float(std::uint16_t half) {
    const std::uint32_t sign = (static_cast<std::uint32_t>(half) & 0x8000u) << 16;
    const std::uint32_t exponent = (half >> 10) & 0x1fu;
    std::uint32_t mantissa = half & 0x3ffu;
    if (exponent == 0x1fu) return float_of(sign | 0x7f800000u | (mantissa << 13));
    if (exponent != 0) return float_of(sign | ((exponent + 112u) << 23) | (mantissa << 13));
    if (mantissa == 0) return float_of(sign);
    std::uint32_t power = 113;
    while ((mantissa & 0x400u) == 0) {
        mantissa <<= 1;
        --power;
    }
    return float_of(sign | (power << 23) | ((mantissa & 0x3ffu) << 13));
}

ASSAY_HD constexpr std::uint16_t float_to_bfloat16(float value) {
    const std::uint32_t bits = bits_of(value);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return static_cast<std::uint16_t>((bits >> 16) | 0x40u);
    return static_cast<std::uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

ASSAY_HD constexpr float bfloat16_to_float(std::uint16_t value) {
    return float_of(static_cast<std::uint32_t>(value) << 16);
}

} // namespace detail

/// IEEE 754 binary16: 1 sign, 5 exponent, 10 mantissa bits; largest finite value 65504.
class half {
  public:
    constexpr half() = default;
    ASSAY_HD constexpr explicit half(float value) : bits_(detail::float_to_half(value)) {}
    ASSAY_HD constexpr operator float() const { return detail::half_to_float(bits_); }

    ASSAY_HD static constexpr half from_bits(std::uint16_t bits) {
        half result;
        result.bits_ = bits;
        return result;
    }
    ASSAY_HD constexpr std::uint16_t bits() const { return bits_; }

  private:
    std::uint16_t bits_ = 0;
};

/// bfloat16: the upper half of a float; 1 sign, 8 exponent, 7 mantissa bits.
class bfloat16 {
  public:
    constexpr bfloat16() = default;
    ASSAY_HD constexpr explicit bfloat16(float value) : bits_(detail::float_to_bfloat16(value)) {}
    ASSAY_HD constexpr operator float() const { return detail::bfloat16_to_float(bits_); }

    ASSAY_HD static constexpr bfloat16 from_bits(std::uint16_t bits) {
        bfloat16 result;
        result.bits_ = bits;
        return result;
    }
    ASSAY_HD constexpr std::uint16_t bits() const { return bits_; }

  private:
    std::uint16_t bits_ = 0;
};

static_assert(sizeof(half) == 2 && sizeof(bfloat16) == 2, "storage types are two bytes");

} // namespace assay

#endif
