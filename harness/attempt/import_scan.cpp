#include "attempt/import_scan.hpp"

#include <algorithm>
#include <cctype>

namespace assay {

namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string_view trimmed(std::string_view text) {
    const std::size_t first = std::min(text.find_first_not_of(" \t\r\f"), text.size());
    text.remove_prefix(first);
    return text.substr(0, text.find_last_not_of(" \t\r\f") + 1);
}

std::string_view first_word(std::string_view text) {
    const auto end = std::find_if_not(text.begin(), text.end(), is_word);
    return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

void add(std::vector<std::string>& names, std::string_view name) {
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
}

void scan(std::string_view statement, std::vector<std::string>& names) {
    statement = trimmed(statement);
    const std::string_view word = first_word(statement);
    if (word != "import" && word != "from") return;
    std::string_view rest = statement.substr(word.size());
    if (rest.empty() || is_word(rest.front())) return;
    if (word == "from") return add(names, first_word(trimmed(rest)));
    while (!rest.empty()) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        add(names, first_word(trimmed(rest.substr(0, comma))));
        rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
}

} // namespace

std::vector<std::string> find_imports(std::string_view text) {
    std::vector<std::string> names;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of("\n;"), text.size());
        scan(text.substr(0, end), names);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return names;
}

} // namespace assay
