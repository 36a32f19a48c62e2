// hunt.toml: what a hunt's workspace says of itself, so that check can draw the same bugs again.
#ifndef ASSAY_CATALOGUE_HUNT_SHEET_HPP
#define ASSAY_CATALOGUE_HUNT_SHEET_HPP

#include "core/outcome.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace assay {

inline constexpr const char* hunt_sheet_name = "hunt.toml";

struct HuntSheet {
    std::string hunt;
    int bugs = 0;
    std::uint64_t seed = 0; // below 2^63
    std::string language = "cpp";
    std::string version; // of the hunt's fragments: another one draws other bugs
};

std::string to_toml(const HuntSheet& sheet);

/// Failure (SKIP): one sentence with file and line.
Outcome<HuntSheet> parse_hunt_sheet(std::string_view text, const std::string& file);

} // namespace assay

#endif
