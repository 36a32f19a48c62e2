// One character of UTF-8 at a time.
#ifndef ASSAY_REPORT_UTF8_HPP
#define ASSAY_REPORT_UTF8_HPP

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace assay {

struct Character {
    std::uint32_t code = 0;
    std::size_t bytes = 1;
    bool valid = false; // false: one byte that begins no well-formed character
};

/// The character that begins at `at` (< text.size()); overlong forms and surrogates are not well-formed.
inline Character character_at(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
    const std::uint32_t first = byte(at);
    if (first < 0x80) return {first, 1, true};
    const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || at + length > text.size()) return {first, 1, false};
    std::uint32_t code = first & (0xffu >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(at + i) & 0xc0u) != 0x80u) return {first, 1, false};
        code = (code << 6) | (byte(at + i) & 0x3fu);
    }
    const bool overlong = (length == 3 && code < 0x800) || (length == 4 && (code < 0x10000 || code > 0x10ffff));
    if (overlong || (code >= 0xd800 && code < 0xe000)) return {first, 1, false};
    return {code, length, true};
}

} // namespace assay

#endif
