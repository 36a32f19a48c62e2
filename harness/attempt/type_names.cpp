// Shortening what demanglers print, which is exact rather than readable.
#include "attempt/type_names.hpp"

#include <cctype>

namespace assay {

namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The end of the bracket that opens at `open`, or npos.
std::size_t closing(std::string_view text, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < text.size(); ++i) {
        if (text[i] == '<' || text[i] == '(') ++depth;
        if ((text[i] == '>' || text[i] == ')') && --depth == 0) return i;
    }
    return std::string_view::npos;
}

std::string without_default_allocators(std::string text) {
    constexpr std::string_view allocator = ", std::allocator<";
    for (std::size_t at = text.find(allocator); at != std::string::npos; at = text.find(allocator, at)) {
        const std::size_t end = closing(text, at + allocator.size() - 1);
        if (end == std::string::npos) break;
        text.erase(at, end + 1 - at);
        if (at < text.size() && text[at] == ' ') text.erase(at, 1);
    }
    return text;
}

/// Demanglers write the suffixes of template arguments' types: 4ul.
std::string without_number_suffixes(const std::string& text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        result += text[i];
        if (!is_digit(text[i]) || is_digit(i + 1 < text.size() ? text[i + 1] : ' ')) continue;
        std::size_t start = i;
        while (start > 0 && is_word(text[start - 1])) --start;
        std::size_t end = i + 1;
        while (end < text.size() && (text[end] == 'u' || text[end] == 'l')) ++end;
        if (is_digit(text[start]) && (end == text.size() || !is_word(text[end]))) i = end - 1;
    }
    return result;
}

/// "float const" becomes "const float", where the type is a plain name.
std::string const_first(std::string text) {
    constexpr std::string_view word = " const";
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + word.size())) {
        const std::size_t end = at + word.size();
        if (end < text.size() && is_word(text[end])) continue;
        std::size_t start = at;
        while (start > 0 && (is_word(text[start - 1]) || text[start - 1] == ':')) --start;
        if (start == at) continue;
        text.replace(start, end - start, "const " + text.substr(start, at - start));
    }
    return text;
}

} // namespace

std::string replace_all(std::string text, std::string_view from, std::string_view to) {
    if (from.empty()) return text;
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
    return text;
}

std::string short_type(std::string_view demangled) {
    std::string text = replace_all(std::string(demangled), "std::__cxx11::", "std::");
    text = replace_all(text, "std::basic_string<char, std::char_traits<char>, std::allocator<char> >", "std::string");
    text = replace_all(text, ", 18446744073709551615ul>", ">"); // std::span of dynamic extent
    text = without_number_suffixes(without_default_allocators(text));
    text = replace_all(text, "assay::", "");
    // As CUDA calls what the emulation's headers make of it.
    text = replace_all(text, "simt::Number16<simt::HalfFormat>", "__half");
    text = replace_all(text, "simt::Number16<simt::BfloatFormat>", "__nv_bfloat16");
    text = replace_all(text, "CUstream_st*", "cudaStream_t");
    return replace_all(const_first(text), "> >", ">>");
}

namespace {

/// Where the parameters' parenthesis opens: the last one at depth 0, since "(anonymous namespace)::f(int)" has another
/// before it.
std::size_t parameters_open(std::string_view demangled) {
    std::size_t open = std::string_view::npos;
    for (std::size_t i = 0; i < demangled.size(); ++i) {
        if (demangled[i] != '(' && demangled[i] != '<') continue;
        const std::size_t end = closing(demangled, i);
        if (end == std::string_view::npos) break;
        if (demangled[i] == '(') open = i;
        i = end;
    }
    return open;
}

} // namespace

std::string function_name(std::string_view demangled) {
    return replace_all(short_type(demangled.substr(0, parameters_open(demangled))), "(anonymous namespace)::", "");
}

std::vector<std::string> parameters_of_function(std::string_view demangled) {
    const std::size_t open = parameters_open(demangled);
    if (open == std::string_view::npos) return {};
    const std::size_t end = closing(demangled, open);
    if (end == std::string_view::npos) return {};
    std::vector<std::string> parameters;
    std::size_t start = open + 1;
    int depth = 0;
    for (std::size_t i = start; i <= end; ++i) {
        if (demangled[i] == '<' || demangled[i] == '(') ++depth;
        if ((demangled[i] == '>' || demangled[i] == ')') && i != end) --depth;
        if (i != end && (demangled[i] != ',' || depth != 0)) continue;
        std::string_view parameter = demangled.substr(start, i - start);
        while (!parameter.empty() && parameter.front() == ' ') parameter.remove_prefix(1);
        if (!parameter.empty()) parameters.push_back(short_type(parameter));
        start = i + 1;
    }
    return parameters;
}

} // namespace assay
