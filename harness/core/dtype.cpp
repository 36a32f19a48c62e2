#include "core/dtype.hpp"

#include <algorithm>
#include <array>
#include <assay/half.hpp>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace assay {

namespace {

struct Row {
    std::size_t size;
    std::string_view name;
    bool floating;
};
constexpr std::array<Row, dtype_count> rows{{{4, "float32", true},
                                             {8, "float64", true},
                                             {2, "float16", true},
                                             {2, "bfloat16", true},
                                             {1, "bool", false},
                                             {4, "int32", false},
                                             {8, "int64", false}}};

const Row& row(Dtype dtype) { return rows[static_cast<std::size_t>(dtype)]; }

template <class T> T read(const std::byte* bytes) {
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
}
template <class T> void write(std::byte* bytes, T value) { std::memcpy(bytes, &value, sizeof value); }

/// Rounds `value` to `mantissa` explicit bits with least exponent `least` (of the smallest normal), ties to even.
double round_to(double value, int mantissa, int least) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const int biased = static_cast<int>(bits >> 52 & 0x7ff);
    if (biased - 1023 >= least && biased != 0x7ff) { // normal before and after: a carry goes into the exponent
        const int drop = 52 - mantissa;
        const std::uint64_t half = (std::uint64_t{1} << (drop - 1)) - 1 + (bits >> drop & 1);
        return std::bit_cast<double>((bits + half) >> drop << drop);
    }
    if (value == 0 || !std::isfinite(value)) return value;
    const int exponent = std::max(std::ilogb(value), least);
    const double unit = std::ldexp(1.0, exponent - mantissa);
    return std::nearbyint(value / unit) * unit; // exact scaling by a power of two; nearbyint ties to even
}

template <class T> T saturated(double value) {
    if (std::isnan(value)) return 0;
    const double rounded = std::nearbyint(value);
    if (rounded <= static_cast<double>(std::numeric_limits<T>::min())) return std::numeric_limits<T>::min();
    if (rounded >= static_cast<double>(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
    return static_cast<T>(rounded);
}

} // namespace

std::size_t size_of(Dtype dtype) { return row(dtype).size; }
std::string_view name_of(Dtype dtype) { return row(dtype).name; }
bool is_floating(Dtype dtype) { return row(dtype).floating; }

std::optional<Dtype> dtype_from(std::string_view name) {
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i].name == name) return static_cast<Dtype>(i);
    return std::nullopt;
}

double load(Dtype dtype, const std::byte* bytes) {
    switch (dtype) {
    case Dtype::f32: return static_cast<double>(read<float>(bytes));
    case Dtype::f64: return read<double>(bytes);
    case Dtype::f16: return static_cast<double>(static_cast<float>(half::from_bits(read<std::uint16_t>(bytes))));
    case Dtype::bf16: return static_cast<double>(static_cast<float>(bfloat16::from_bits(read<std::uint16_t>(bytes))));
    case Dtype::boolean: return read<std::uint8_t>(bytes) != 0 ? 1.0 : 0.0;
    case Dtype::i32: return static_cast<double>(read<std::int32_t>(bytes));
    case Dtype::i64: return static_cast<double>(read<std::int64_t>(bytes));
    }
    return 0;
}

void store(Dtype dtype, std::byte* bytes, double value) {
    switch (dtype) {
    case Dtype::f32: return write(bytes, static_cast<float>(value));
    case Dtype::f64: return write(bytes, value);
    case Dtype::f16: return write(bytes, half_bits(value));
    case Dtype::bf16: return write(bytes, bfloat16_bits(value));
    case Dtype::boolean: return write(bytes, static_cast<std::uint8_t>(value != 0 ? 1 : 0));
    case Dtype::i32: return write(bytes, saturated<std::int32_t>(value));
    case Dtype::i64: return write(bytes, saturated<std::int64_t>(value));
    }
}

void store_all(Dtype dtype, std::byte* bytes, std::span<const double> values) {
    const auto each = [&](auto converted) {
        for (const double value : values) {
            write(bytes, converted(value));
            bytes += sizeof(converted(value));
        }
    };
    switch (dtype) {
    case Dtype::f32: return each([](double value) { return static_cast<float>(value); });
    case Dtype::f64: return each([](double value) { return value; });
    case Dtype::f16: return each(half_bits);
    case Dtype::bf16: return each(bfloat16_bits);
    case Dtype::boolean: return each([](double value) { return static_cast<std::uint8_t>(value != 0 ? 1 : 0); });
    case Dtype::i32: return each(saturated<std::int32_t>);
    case Dtype::i64: return each(saturated<std::int64_t>);
    }
}

double as_stored(Dtype dtype, double value) {
    switch (dtype) {
    case Dtype::f32: return static_cast<double>(static_cast<float>(value));
    case Dtype::f64: return value;
    default: break;
    }
    std::array<std::byte, 8> bytes{};
    store(dtype, bytes.data(), value);
    return load(dtype, bytes.data());
}

// A value already rounded to the type's own precision converts through float32 exactly.
std::uint16_t half_bits(double value) { return half(static_cast<float>(round_to(value, 10, -14))).bits(); }
std::uint16_t bfloat16_bits(double value) { return bfloat16(static_cast<float>(round_to(value, 7, -126))).bits(); }

} // namespace assay
