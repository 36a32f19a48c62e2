// Virtual time: whole nanoseconds since the start of a run.
#ifndef ASSAY_SIMULATE_TIME_HPP
#define ASSAY_SIMULATE_TIME_HPP

#include <cstdint>
#include <string>

namespace assay {

using Time = std::int64_t;

inline constexpr Time microsecond = 1'000;
inline constexpr Time millisecond = 1'000'000;
inline constexpr Time second = 1'000'000'000;

/// Beyond any run: 2^62 ns are 146 years, and twice that still fits.
inline constexpr Time never = Time{1} << 62;

/// Exact, in the largest unit that needs no more than three decimals and stays readable, or in ns: "12.5 ms",
/// "1000.001 µs", "1000000001 ns".
std::string text_of(Time time);

} // namespace assay

#endif
