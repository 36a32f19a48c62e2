#include "catalogue/hints.hpp"

#include <algorithm>
#include <cctype>

namespace assay {

namespace {

bool starts_with(std::string_view text, std::string_view start) { return text.substr(0, start.size()) == start; }

/// Length of "12. " at the start of a line, or 0.
std::size_t item_length(std::string_view line) {
    std::size_t i = 0;
    while (i < line.size() && std::isdigit(static_cast<unsigned char>(line[i])) != 0) ++i;
    return i > 0 && i + 1 < line.size() && line[i] == '.' && line[i + 1] == ' ' ? i + 2 : 0;
}

std::string trimmed(const std::string& text) {
    const auto first = text.find_first_not_of(" \n");
    if (first == std::string::npos) return "";
    return text.substr(first, text.find_last_not_of(" \n") - first + 1);
}

} // namespace

std::map<std::string, std::vector<std::string>> split_hints(std::string_view markdown) {
    std::map<std::string, std::vector<std::string>> hints;
    std::vector<std::string>* section = nullptr;
    std::string hint;
    std::size_t indent = 0; // of an item's further lines
    bool code = false;      // within ``` nothing is a heading or an item
    const auto close = [&] {
        const std::string text = trimmed(hint);
        if (section != nullptr && !text.empty()) section->push_back(text);
        hint.clear();
        indent = 0;
    };
    while (!markdown.empty()) {
        const std::size_t end = std::min(markdown.find('\n'), markdown.size());
        const std::string_view line = markdown.substr(0, end);
        markdown.remove_prefix(std::min(end + 1, markdown.size()));
        if (starts_with(line, "```")) code = !code;
        if (!code && starts_with(line, "## ")) {
            close();
            section = &hints[trimmed(std::string(line.substr(3)))];
        } else if (!code && starts_with(line, "### ")) {
            close();
        } else if (const std::size_t item = code ? 0 : item_length(line); item > 0) {
            close();
            hint = std::string(line.substr(item)) + '\n';
            indent = item;
        } else {
            const std::size_t spaces = std::min(line.find_first_not_of(' '), line.size());
            hint += std::string(line.substr(std::min(spaces, indent))) + '\n';
        }
    }
    close();
    return hints;
}

} // namespace assay
