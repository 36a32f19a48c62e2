// Element types of tensors, and the way between their stored bytes and float64.
#ifndef ASSAY_CORE_DTYPE_HPP
#define ASSAY_CORE_DTYPE_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace assay {

enum class Dtype : std::uint8_t { f32, f64, f16, bf16, boolean, i32, i64 };

inline constexpr int dtype_count = 7;

/// Bytes an element.
std::size_t size_of(Dtype dtype);

/// "float32", "float16", "bfloat16", "bool", ...
std::string_view name_of(Dtype dtype);
std::optional<Dtype> dtype_from(std::string_view name);

bool is_floating(Dtype dtype);

/// The element stored at `bytes` (any alignment) as float64; i64 beyond 2^53 loses digits. A bool is 0 or 1.
double load(Dtype dtype, const std::byte* bytes);

/// Stores `value` rounded to nearest, ties to even; NaN and infinities are kept where the type has them.
/// Integers round to nearest and saturate; bool is value != 0.
void store(Dtype dtype, std::byte* bytes, double value);
/// The same for values that lie one after another, without asking for the type at each.
void store_all(Dtype dtype, std::byte* bytes, std::span<const double> values);
/// What load gives after store.
double as_stored(Dtype dtype, double value);

/// float64 to float16/bfloat16 in one rounding (by way of float32 would round twice).
std::uint16_t half_bits(double value);
std::uint16_t bfloat16_bits(double value);

} // namespace assay

#endif
