// Include directives by a scan of the text: comments and continued lines are understood, conditions are not.
#include "attempt/source_scan.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <utility>

namespace assay {

namespace {

// Sorted, for the binary search below.
// clang-format off
constexpr std::string_view standard_headers[] = {
    "algorithm", "any", "array", "assert.h", "atomic", "barrier", "bit", "bitset", "cassert", "cctype", "cerrno",
    "cfenv", "cfloat", "charconv", "chrono", "cinttypes", "climits", "clocale", "cmath", "codecvt", "compare",
    "complex", "complex.h", "concepts", "condition_variable", "coroutine", "csetjmp", "csignal", "cstdarg", "cstddef",
    "cstdint", "cstdio", "cstdlib", "cstring", "ctime", "ctype.h", "cuchar", "cwchar", "cwctype", "deque", "errno.h",
    "exception", "execution", "expected", "fenv.h", "filesystem", "flat_map", "flat_set", "float.h", "format",
    "forward_list", "fstream", "functional", "future", "generator", "initializer_list", "inttypes.h", "iomanip",
    "ios", "iosfwd", "iostream", "istream", "iterator", "latch", "limits", "limits.h", "list", "locale", "locale.h",
    "map", "math.h", "mdspan", "memory", "memory_resource", "mutex", "new", "numbers", "numeric", "optional",
    "ostream", "print", "queue", "random", "ranges", "ratio", "regex", "scoped_allocator", "semaphore", "set",
    "setjmp.h", "shared_mutex", "signal.h", "source_location", "span", "spanstream", "sstream", "stack", "stacktrace",
    "stdarg.h", "stdbool.h", "stddef.h", "stdexcept", "stdfloat", "stdint.h", "stdio.h", "stdlib.h", "stop_token",
    "streambuf", "string", "string.h", "string_view", "strstream", "syncstream", "system_error", "tgmath.h", "thread",
    "time.h", "tuple", "type_traits", "typeindex", "typeinfo", "uchar.h", "unordered_map", "unordered_set", "utility",
    "valarray", "variant", "vector", "version", "wchar.h", "wctype.h"};
// clang-format on

struct LogicalLine {
    std::string text; // comments are one space, ends trimmed
    std::size_t number = 0;
};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string trimmed(const std::string& text) {
    const auto first = text.find_first_not_of(" \t\r\f\v");
    if (first == std::string::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r\f\v") - first + 1);
}

/// Joins continued lines, drops comments. Raw string literals are not understood: a directive inside one is taken for
/// a directive, which costs at most a header staged in vain.
class Lines {
  public:
    explicit Lines(std::string_view text) : text_(text) {
        if (text_.substr(0, 3) == "\xEF\xBB\xBF") text_.remove_prefix(3);
    }

    bool next(LogicalLine& line) {
        if (at_ >= text_.size()) return false;
        line = {{}, number_};
        char literal = 0; // the quote of the literal we are in
        for (; at_ < text_.size(); ++at_) {
            if (continues()) continue;
            const char c = text_[at_];
            if (c == '\n') break;
            const char after = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
            if (in_block_comment_) {
                if (c == '*' && after == '/') {
                    in_block_comment_ = false;
                    ++at_;
                }
                continue;
            }
            if (literal != 0) {
                line.text += c;
                if (c == '\\' && after != '\n' && after != '\0') line.text += text_[++at_];
                if (c == literal) literal = 0;
                continue;
            }
            if (c == '/' && after == '*') {
                in_block_comment_ = true;
                line.text += ' ';
                ++at_;
                continue;
            }
            if (c == '/' && after == '/') {
                skip_line_comment();
                break;
            }
            // 1'000 holds no character literal.
            if (c == '"' || (c == '\'' && (line.text.empty() || !is_word(line.text.back())))) literal = c;
            line.text += c;
        }
        ++at_;
        ++number_;
        line.text = trimmed(line.text);
        return true;
    }

  private:
    /// Steps over the backslash of a continued line; the loop's step then takes the newline.
    bool continues() {
        if (text_[at_] != '\\') return false;
        const std::size_t newline = text_.substr(at_ + 1, 2) == "\r\n" ? at_ + 2 : at_ + 1;
        if (newline >= text_.size() || text_[newline] != '\n') return false;
        at_ = newline;
        ++number_;
        return true;
    }

    void skip_line_comment() {
        for (; at_ < text_.size() && text_[at_] != '\n'; ++at_) continues();
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t number_ = 1;
    bool in_block_comment_ = false;
};

/// The word after '#' and what follows it; "" where the line is no directive.
std::pair<std::string, std::string> directive(const std::string& line) {
    const std::size_t mark = line.substr(0, 1) == "#" ? 1 : line.substr(0, 2) == "%:" ? 2 : 0; // # and its digraph
    if (mark == 0) return {};
    const std::string rest = trimmed(line.substr(mark));
    const auto end = std::find_if_not(rest.begin(), rest.end(), is_word);
    return {std::string(rest.begin(), end), trimmed(std::string(end, rest.end()))};
}

/// The name in "..." or <...> at the start of `text`.
bool header_name(std::string_view text, IncludeDirective& found) {
    if (text.empty() || (text[0] != '"' && text[0] != '<')) return false;
    const std::size_t end = text.find(text[0] == '"' ? '"' : '>', 1);
    if (end == std::string_view::npos) return false;
    found.quoted = text[0] == '"';
    found.name = text.substr(1, end - 1);
    return !found.name.empty();
}

/// Whether `name` can only be an include guard: no library asks for a macro of such a name.
bool is_guard(const std::string& name) {
    std::string_view stem = name;
    while (!stem.empty() && stem.back() == '_') stem.remove_suffix(1);
    const auto ends_in = [&](std::string_view end) {
        return stem.size() > end.size() && stem.substr(stem.size() - end.size()) == end;
    };
    return name[0] != '_' && (ends_in("_H") || ends_in("_HPP") || ends_in("_CUH") || ends_in("_INCLUDED"));
}

/// Collects the standard headers at the start of a file and of those beside it.
class Leading {
  public:
    explicit Leading(const Beside& beside, const std::string* contract = nullptr, Known known = {})
        : beside_(beside), contract_(contract), known_(std::move(known)) {}

    std::vector<std::string> headers;

    /// False once something else than an include was met.
    bool read(std::string_view text) {
        std::string guard;
        Lines lines(text);
        for (LogicalLine line; lines.next(line);) {
            if (line.text.empty()) continue;
            const auto [word, rest] = directive(line.text);
            if (word == "pragma" && rest == "once") continue;
            if (word == "ifndef" && guard.empty() && !rest.empty() && is_guard(rest)) {
                guard = rest;
                continue;
            }
            if (!guard.empty() && ((word == "define" && rest == guard) || word == "endif")) continue;
            if (word != "include" || !include(rest)) return false;
        }
        return true;
    }

  private:
    const Beside& beside_;
    const std::string* contract_; // contract.cuh
    Known known_;
    std::set<std::string> read_;

    bool include(const std::string& what) {
        IncludeDirective found;
        if (!header_name(what, found)) return false;
        if (found.quoted && found.name == "contract.hpp") return true;
        if (found.quoted && contract_ != nullptr && found.name == "contract.cuh") {
            if (read_.insert(found.name).second) read(*contract_); // what it declares changes no header
            return true;
        }
        if (!found.quoted) return is_standard_header(found.name) ? take(found.name) : take_known(found.name);
        const std::string* text = beside_ ? beside_(found.name) : nullptr;
        if (text == nullptr) return take_known(found.name);
        return !read_.insert(found.name).second || read(*text);
    }

    bool take(const std::string& name) {
        if (std::find(headers.begin(), headers.end(), name) == headers.end()) headers.push_back(name);
        return true;
    }

    bool take_known(const std::string& name) { return known_ && known_(name) && take(name); }
};

bool is_include(const std::string& word) { return word == "include" || word == "import" || word == "include_next"; }

} // namespace

std::vector<IncludeDirective> find_includes(std::string_view text) {
    std::vector<IncludeDirective> includes;
    Lines lines(text);
    for (LogicalLine line; lines.next(line);) {
        const auto [word, rest] = directive(line.text);
        IncludeDirective found;
        found.line = line.number;
        if (is_include(word) && header_name(rest, found)) includes.push_back(found);
        if (word != "if" && word != "elif") continue;
        constexpr std::string_view question = "__has_include";
        for (std::size_t at = rest.find(question); at != std::string::npos; at = rest.find(question, at + 1)) {
            const std::size_t name = rest.find_first_not_of(" (", at + question.size());
            if (name != std::string::npos && header_name(std::string_view(rest).substr(name), found))
                includes.push_back(found);
        }
    }
    return includes;
}

std::vector<std::string> leading_standard_headers(std::string_view text, const Beside& beside) {
    Leading leading(beside);
    leading.read(text);
    return leading.headers;
}

std::vector<std::string> leading_known_headers(std::string_view text, const Beside& beside, const std::string& contract,
                                               const Known& known) {
    Leading leading(beside, &contract, known);
    leading.read(text);
    return leading.headers;
}

bool is_standard_header(std::string_view name) {
    return std::binary_search(std::begin(standard_headers), std::end(standard_headers), name);
}

} // namespace assay
