#include "catalogue/markdown_inline.hpp"

#include <algorithm>
#include <cctype>

namespace assay::markdown {

namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || (c & 0x80) != 0; }

} // namespace

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\r')) text.remove_suffix(1);
    return text;
}

bool starts_with(std::string_view text, std::string_view start) { return text.substr(0, start.size()) == start; }

std::string painted_words(const Style& style, Paint paint, std::string_view text) {
    std::string result;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        result += style.paint(paint, text.substr(0, end));
        if (end < text.size()) result += ' ';
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return result;
}

std::string inline_text(std::string_view text, const Style& style) {
    std::string result;
    for (std::size_t i = 0; i < text.size();) {
        const std::string_view rest = text.substr(i);
        if (rest[0] == '\\' && rest.size() > 1 && std::ispunct(static_cast<unsigned char>(rest[1])) != 0) {
            result += rest[1];
            i += 2;
            continue;
        }
        if (rest[0] == '`') {
            const std::size_t ticks = std::min(rest.find_first_not_of('`'), rest.size());
            const std::size_t end = rest.find(rest.substr(0, ticks), ticks);
            if (end != std::string_view::npos) {
                const std::string_view code = trimmed(rest.substr(ticks, end - ticks));
                result += style.colour ? painted_words(style, Paint::cyan, code) : "`" + std::string(code) + "`";
                i += end + ticks;
                continue;
            }
        }
        if (rest[0] == '*' || (rest[0] == '_' && (i == 0 || !is_word(text[i - 1])))) {
            const std::size_t marks = rest.size() > 1 && rest[1] == rest[0] ? 2 : 1;
            const std::size_t end = rest.find(rest.substr(0, marks), marks);
            if (end != std::string_view::npos && end > marks && rest[marks] != ' ' && rest[end - 1] != ' ' &&
                (rest[0] == '*' || end + marks >= rest.size() || !is_word(rest[end + marks]))) {
                result += painted_words(style, marks == 2 ? Paint::bold : Paint::italic,
                                        inline_text(rest.substr(marks, end - marks), Style{false, style.width}));
                i += end + marks;
                continue;
            }
        }
        if (rest[0] == '[') {
            const std::size_t middle = rest.find("](");
            const std::size_t end = middle == std::string_view::npos ? middle : rest.find(')', middle);
            if (end != std::string_view::npos && rest.substr(0, middle).find('[', 1) == std::string_view::npos) {
                const std::string_view address = rest.substr(middle + 2, end - middle - 2);
                result += inline_text(rest.substr(1, middle - 1), style);
                if (starts_with(address, "http")) result += " <" + std::string(address) + ">";
                i += end + 1;
                continue;
            }
        }
        result += rest[0];
        ++i;
    }
    return result;
}

} // namespace assay::markdown
