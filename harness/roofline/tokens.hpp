// --tokens: a list (1,16,300) or a range swept in equal ratios (1:65536, or 1:65536:33 for 33 points).
#ifndef ASSAY_ROOFLINE_TOKENS_HPP
#define ASSAY_ROOFLINE_TOKENS_HPP

#include "core/outcome.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace assay::roofline {

constexpr std::int64_t most_tokens_asked = 1'000'000'000'000;

/// `points` whole numbers from `low` to `high` in equal ratios, ends included; fewer where they coincide.
std::vector<std::int64_t> sweep(std::int64_t low, std::int64_t high, std::size_t points);

/// Rising, each once. Failure: one sentence.
Outcome<std::vector<std::int64_t>> parse_tokens(std::string_view text);

} // namespace assay::roofline

#endif
