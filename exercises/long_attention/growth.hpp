// What is measured as sequences grow: which functions, at which lengths, on which problems.
//
// An attempt's own memory and time are to grow with L, not with L². Inputs and output lie in the judge's arena and are
// written before the call (the output by poison), so that what a function's process adds to its peak during the call is
// what the attempt allocated. Tensors are thin, so that the arena stays small beside L² floats: at the longest length
// inputs and output take 8 L floats, a matrix of scores L².
#ifndef ASSAY_LONG_ATTENTION_GROWTH_HPP
#define ASSAY_LONG_ATTENTION_GROWTH_HPP

#include "cases.hpp"

namespace assay::long_attention_judge {

/// Doublings: a slope on a log-log line needs a range, and a quadratic attempt fails at the last of them by memory.
inline constexpr std::array<std::int64_t, 7> growth_lengths{1024, 2048, 4096, 8192, 16384, 32768, 65536};
/// Longer than any: a quadratic attempt runs out of time and memory, a linear one takes a few milliseconds.
inline constexpr std::int64_t longest = 100003;

/// Routes whose memory and time are measured.
inline constexpr std::array<const char*, 3> growth_routes{"sliding_window", "linear_attention", "window_with_globals"};

std::vector<Growth> growths();
/// The level by the exponent of time.
std::vector<SpeedLevel> speed_levels();

/// One head, D = Dv = 2, a window of 4 and 2 global tokens: inputs that do not depend on a seed's luck.
Problem growth_problem(const std::string& route, std::int64_t length, std::uint64_t seed);

} // namespace assay::long_attention_judge

#endif
