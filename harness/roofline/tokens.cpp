#include "roofline/tokens.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <string>

namespace assay::roofline {

namespace {

constexpr std::size_t default_points = 17; // 1:65536 in powers of two
constexpr std::int64_t most_points = 1000;

std::optional<std::int64_t> whole(std::string_view text, std::int64_t low, std::int64_t high) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < low || value > high) return std::nullopt;
    return value;
}

std::vector<std::string_view> split(std::string_view text, char at) {
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t end = text.find(at);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

Failure wrong(std::string_view what) {
    return {Verdict::SKIP,
            fmt::format("--tokens {}; give whole numbers from 1 to {} as a list (1,16,300) or as a range "
                        "(1:65536, or 1:65536:33 for 33 points)",
                        what, most_tokens_asked)};
}

} // namespace

std::vector<std::int64_t> sweep(std::int64_t low, std::int64_t high, std::size_t points) {
    std::vector<std::int64_t> result;
    const double ratio = static_cast<double>(high) / static_cast<double>(low);
    for (std::size_t i = 0; i < points; ++i) {
        const double share = points == 1 ? 0 : static_cast<double>(i) / static_cast<double>(points - 1);
        const double value = std::round(static_cast<double>(low) * std::pow(ratio, share));
        result.push_back(std::clamp(static_cast<std::int64_t>(value), low, high));
    }
    if (points > 1) result.back() = high;
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

Outcome<std::vector<std::int64_t>> parse_tokens(std::string_view text) {
    if (text.size() > 10'000) return wrong("is too long");
    if (text.find(':') != std::string_view::npos) {
        const std::vector<std::string_view> parts = split(text, ':');
        const auto low = whole(parts[0], 1, most_tokens_asked);
        const auto high = whole(parts[1], 1, most_tokens_asked);
        const auto points =
            parts.size() == 3 ? whole(parts[2], 2, most_points) : std::optional<std::int64_t>(default_points);
        if (parts.size() > 3 || !low || !high) return wrong("is no range");
        if (!points) return wrong(fmt::format("takes 2 to {} points", most_points));
        if (*low > *high) return wrong(fmt::format("runs from {} down to {}", *low, *high));
        return sweep(*low, *high, static_cast<std::size_t>(*points));
    }
    std::vector<std::int64_t> result;
    for (const std::string_view part : split(text, ',')) {
        const auto one = whole(part, 1, most_tokens_asked);
        if (!one) return wrong("holds what is no such number");
        result.push_back(*one);
    }
    if (result.size() > static_cast<std::size_t>(most_points)) return wrong("is too long");
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

} // namespace assay::roofline
