// Storage types: every 16-bit pattern, and rounding against an independent search.
#include "catch.hpp"
#include "core/dtype.hpp"
#include "core/random.hpp"

#include <assay/half.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

using namespace assay;

namespace {

/// float16/bfloat16 by its definition: sign, exponent, mantissa.
double by_definition(std::uint16_t bits, int exponent_bits, int mantissa_bits) {
    const int bias = (1 << (exponent_bits - 1)) - 1;
    const int exponent = (bits >> mantissa_bits) & ((1 << exponent_bits) - 1);
    const int mantissa = bits & ((1 << mantissa_bits) - 1);
    const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
    if (exponent == (1 << exponent_bits) - 1)
        return mantissa != 0 ? std::numeric_limits<double>::quiet_NaN()
                             : sign * std::numeric_limits<double>::infinity();
    if (exponent == 0) return sign * std::ldexp(mantissa, 1 - bias - mantissa_bits);
    return sign * std::ldexp(mantissa + (1 << mantissa_bits), exponent - bias - mantissa_bits);
}

bool same(double a, double b) {
    return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

} // namespace

TEST_CASE("every float16 and bfloat16 pattern loads as its definition says and stores back to itself") {
    int wrong = 0;
    for (int i = 0; i < 65536; ++i) {
        const auto bits = static_cast<std::uint16_t>(i);
        const double h = by_definition(bits, 5, 10), b = by_definition(bits, 8, 7);
        std::byte raw[2];
        std::memcpy(raw, &bits, 2);
        wrong += !same(load(Dtype::f16, raw), h) + !same(load(Dtype::bf16, raw), b);
        if (std::isnan(h))
            wrong += !std::isnan(static_cast<float>(half(std::numeric_limits<float>::quiet_NaN())));
        else
            wrong += half_bits(h) != bits || half(static_cast<float>(h)).bits() != bits;
        if (!std::isnan(b)) wrong += bfloat16_bits(b) != bits || bfloat16(static_cast<float>(b)).bits() != bits;
    }
    CHECK(wrong == 0);
}

TEST_CASE("halfway cases go to even, and just beside them to the nearer, in one rounding from float64") {
    int wrong = 0;
    for (int i = 0; i < 0x7bff; ++i) { // neighbours among the finite positive halves
        const double low = by_definition(static_cast<std::uint16_t>(i), 5, 10);
        const double high = by_definition(static_cast<std::uint16_t>(i + 1), 5, 10);
        const double middle = (low + high) / 2;
        wrong += half_bits(middle) != (i % 2 == 0 ? i : i + 1);
        wrong += half_bits(std::nextafter(middle, 0.0)) != i; // float32 first would round these up to the middle
        wrong += half_bits(std::nextafter(middle, 1e9)) != i + 1;
        wrong += half(static_cast<float>(middle)).bits() != (i % 2 == 0 ? i : i + 1);
    }
    CHECK(wrong == 0);
    CHECK(half_bits(65519.999) == 0x7bff);
    CHECK(half_bits(65520.0) == 0x7c00);
    CHECK(half(65520.0f).bits() == 0x7c00);
    CHECK(half(0x1p-25f).bits() == 0);
    CHECK(half(0x1.8p-25f).bits() == 1);
    CHECK(bfloat16(std::numeric_limits<float>::max()).bits() == 0x7f80);
}

TEST_CASE("integers saturate, flags are 0 or 1, NaN does not become a number") {
    std::byte raw[8];
    store(Dtype::i32, raw, 1e12);
    CHECK(load(Dtype::i32, raw) == 2147483647.0);
    store(Dtype::i64, raw, -1e300);
    CHECK(load(Dtype::i64, raw) == -9223372036854775808.0);
    store(Dtype::i32, raw, 2.5);
    CHECK(load(Dtype::i32, raw) == 2.0);
    store(Dtype::boolean, raw, -0.5);
    CHECK(load(Dtype::boolean, raw) == 1.0);
    store(Dtype::f16, raw, std::nan(""));
    CHECK(std::isnan(load(Dtype::f16, raw)));
    CHECK(dtype_from("bfloat16") == Dtype::bf16);
    CHECK_FALSE(dtype_from("fp8").has_value());
}

TEST_CASE("many values are stored as each by itself, and as_stored is what comes back") {
    Random random(11, "store");
    std::vector<double> values{0,          -0.0,        1.0 / 3,       65519.999, 65520.0, 1e-8,     -0x1p-25,
                               0x1.8p-25,  0x1p-14,     1e300,         -1e300,    2.5,     -3.5,     1e12,
                               1e30,       -1e30,       INFINITY,      -INFINITY, NAN,     0x1p-130, 0x1.ffffffp-15,
                               0x1.ffcp15, 1 + 0x1p-11, 1 + 0x1.8p-10, 3.4e38};
    for (int i = 0; i < 20000; ++i)
        values.push_back(std::ldexp(random.uniform(-1, 1), static_cast<int>(random.integer(-40, 40))));
    for (int d = 0; d < dtype_count; ++d) {
        const auto dtype = static_cast<Dtype>(d);
        std::vector<std::byte> together(values.size() * size_of(dtype));
        store_all(dtype, together.data(), values);
        int wrong = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            std::byte one[8]{};
            store(dtype, one, values[i]);
            wrong += std::memcmp(one, together.data() + i * size_of(dtype), size_of(dtype)) != 0;
            wrong += !same(load(dtype, one), as_stored(dtype, values[i]));
        }
        INFO(name_of(dtype));
        CHECK(wrong == 0);
    }
}
