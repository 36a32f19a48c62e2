#include "grade/names.hpp"

#include "core/fnv.hpp"

#include <fmt/format.h>

namespace assay {

namespace {

bool is_plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
           c == '-';
}

int digit_of(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

} // namespace

std::string escaped_name(std::string_view name, bool keep_slashes) {
    std::string text;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const char c = name[i];
        const bool leading = i == 0 && (c == '.' || c == '-');
        if ((is_plain(c) && !leading) || (keep_slashes && (c == '/' || leading)))
            text += c;
        else
            text += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return text;
}

std::string plain_name(std::string_view text) {
    std::string name;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const int high = text[i] == '%' && i + 2 < text.size() ? digit_of(text[i + 1]) : -1;
        const int low = high >= 0 ? digit_of(text[i + 2]) : -1;
        if (low < 0) {
            name += text[i];
            continue;
        }
        name += static_cast<char>(high * 16 + low);
        i += 2;
    }
    return name;
}

std::string file_name_for(std::string_view name) {
    constexpr std::size_t most = 180; // of 255: suffixes and temporary names are added
    const std::string whole = escaped_name(name);
    if (whole.size() <= most) return whole;
    return fmt::format("{}~{:016x}", whole.substr(0, most - 17), fnv1a(name));
}

} // namespace assay
