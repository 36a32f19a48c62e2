#include "report/text.hpp"

#include "report/utf8.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace assay {

namespace {

/// Length of the escape sequence at `at` (text[at] is ESC), or 0 where there is none that ends.
std::size_t escape_length(std::string_view text, std::size_t at) {
    if (at + 1 >= text.size()) return 0;
    if (text[at + 1] == '[') {
        for (std::size_t i = at + 2; i < text.size(); ++i) {
            const char c = text[i];
            if (c >= '@' && c <= '~') return i - at + 1;
            if (c < ' ' || c > '?') return 0;
        }
    } else if (text[at + 1] == ']') {
        for (std::size_t i = at + 2; i < text.size(); ++i) {
            if (text[i] == '\a') return i - at + 1;
            if (text[i] == '\x1b' && i + 1 < text.size() && text[i + 1] == '\\') return i - at + 2;
        }
    }
    return 0;
}

/// Colours (ESC [ ... m) and, as g++ adds it to each, "erase to the end of the line" (ESC [ K).
bool is_colour(std::string_view sequence) {
    if (sequence.size() < 3 || sequence[1] != '[') return false;
    if (sequence.back() == 'K') return sequence.size() == 3;
    return sequence.back() == 'm' && std::all_of(sequence.begin() + 2, sequence.end() - 1,
                                                 [](char c) { return (c >= '0' && c <= '9') || c == ';' || c == ':'; });
}

bool reorders(std::uint32_t code) { // U+202A.. and U+2066.. turn the direction of what follows
    return (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) || code == 0x200e ||
           code == 0x200f || code == 0x2028 || code == 0x2029;
}

bool takes_no_column(std::uint32_t code) {
    return code < 0x20 || (code >= 0x300 && code <= 0x36f) || (code >= 0x200b && code <= 0x200f) ||
           (code >= 0xfe00 && code <= 0xfe0f) || (code >= 0x20d0 && code <= 0x20ff);
}

bool takes_two_columns(std::uint32_t code) {
    return (code >= 0x1100 && code <= 0x115f) || (code >= 0x2e80 && code <= 0xa4cf) ||
           (code >= 0xac00 && code <= 0xd7a3) || (code >= 0xf900 && code <= 0xfaff) ||
           (code >= 0xff00 && code <= 0xff60) || (code >= 0x1f300 && code <= 0x1faff) ||
           (code >= 0x20000 && code <= 0x3fffd);
}

/// Insertions, deletions, changes and swaps of neighbours that turn one into the other.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i)
        for (std::size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            const std::size_t change = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0u : 1u);
            d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, change});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[a.size()][b.size()];
}

} // namespace

std::size_t display_width(std::string_view text) {
    std::size_t width = 0;
    for (std::size_t i = 0; i < text.size();) {
        if (text[i] == '\x1b') {
            const std::size_t length = escape_length(text, i);
            if (length > 0) {
                i += length;
                continue;
            }
        }
        const Character c = character_at(text, i);
        i += c.bytes;
        width += takes_no_column(c.code) ? 0 : takes_two_columns(c.code) ? 2 : 1;
    }
    return width;
}

std::string pad_right(std::string_view text, std::size_t width) {
    const std::size_t own = display_width(text);
    return std::string(text) + std::string(own < width ? width - own : 0, ' ');
}

std::string pad_left(std::string_view text, std::size_t width) {
    const std::size_t own = display_width(text);
    return std::string(own < width ? width - own : 0, ' ') + std::string(text);
}

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
    std::vector<std::string> result;
    for (const std::string& paragraph : lines_of(text)) {
        std::string line;
        std::size_t columns = 0;
        for (std::size_t i = 0; i < paragraph.size();) {
            const std::size_t end = std::min(paragraph.find(' ', i), paragraph.size());
            const std::string_view word = std::string_view(paragraph).substr(i, end - i);
            i = end + 1;
            if (word.empty()) continue;
            const std::size_t wide = display_width(word);
            if (columns > 0 && columns + 1 + wide > width) {
                result.push_back(std::move(line));
                line.clear();
                columns = 0;
            }
            if (!line.empty()) {
                line += ' ';
                ++columns;
            }
            line += word;
            columns += wide;
        }
        result.push_back(std::move(line));
    }
    return result;
}

std::string wrapped(std::string_view text, std::size_t width, std::string_view lead, std::string_view hang) {
    const std::size_t indent = std::max(display_width(lead), display_width(hang));
    std::string result;
    for (const std::string& line : wrap(text, width > indent + 20 ? width - indent : 20)) {
        result += result.empty() ? lead : hang;
        result += line + '\n';
    }
    return result;
}

std::string printable(std::string_view text, Keep keep) {
    std::string result;
    result.reserve(text.size());
    for (std::size_t i = 0; i < text.size();) {
        const Character c = character_at(text, i);
        if (c.code == '\n' && keep != Keep::nothing) {
            result += '\n';
        } else if (c.code == '\t') {
            result += "    ";
        } else if (c.code == 0x1b && keep == Keep::newlines_and_colours) {
            const std::size_t length = escape_length(text, i);
            if (length > 0 && is_colour(text.substr(i, length))) {
                result += text.substr(i, length);
                i += length;
                continue;
            }
            result += "\\x1b";
        } else if (!c.valid || c.code < 0x20 || c.code == 0x7f) {
            result += fmt::format("\\x{:02x}", c.code);
        } else if ((c.code >= 0x80 && c.code < 0xa0) || reorders(c.code)) {
            result += fmt::format("\\u{:04x}", c.code);
        } else {
            result += text.substr(i, c.bytes);
        }
        i += c.bytes;
    }
    return result;
}

std::string without_escapes(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = text[i] == '\x1b' ? escape_length(text, i) : 0;
        if (length == 0) result += text[i];
        i += std::max<std::size_t>(length, 1);
    }
    return result;
}

std::string cut(std::string_view line, std::size_t width) {
    if (display_width(line) <= width) return std::string(line);
    std::string result;
    std::size_t columns = 0;
    for (std::size_t i = 0; i < line.size();) {
        const Character c = character_at(line, i);
        const std::string_view one = line.substr(i, c.bytes);
        columns += display_width(one);
        if (columns + 3 > width) break;
        result += one;
        i += c.bytes;
    }
    return result + "...";
}

std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

std::string first_lines(std::string_view text, std::size_t most) {
    const std::vector<std::string> lines = lines_of(text);
    std::string result;
    for (std::size_t i = 0; i < std::min(most, lines.size()); ++i) result += lines[i] + '\n';
    if (lines.size() > most) {
        const std::size_t left = lines.size() - most;
        result += fmt::format("... {} more line{}\n", left, left == 1 ? "" : "s");
    }
    return result;
}

std::string counted(long long count, std::string_view one) {
    return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

std::string shell_word(std::string_view text) {
    const auto plain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("@:=~,.-+_/%").find(c) != std::string_view::npos;
    };
    if (!text.empty() && text.front() != '~' && std::all_of(text.begin(), text.end(), plain)) return std::string(text);
    std::string quoted = "'";
    for (const char c : text)
        if (c == '\'')
            quoted += "'\\''";
        else
            quoted += c;
    return quoted + "'";
}

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
    if (word.size() > 100) return ""; // no name is so long
    std::string best;
    std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;
    for (const std::string& candidate : candidates) {
        std::size_t distance = edit_distance(word, candidate);
        if (word.size() >= 3 && candidate.find(word) != std::string::npos)
            distance = std::min<std::size_t>(distance, 1);
        if (distance < least) {
            least = distance;
            best = candidate;
        }
    }
    return best;
}

} // namespace assay
