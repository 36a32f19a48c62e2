// The rules that matter: literals (raw ones too), comments, continued lines, and which tokens a directive owns.
#include "tokens.hpp"

#include <algorithm>
#include <cctype>
#include <string>

namespace assay::simt {

namespace {

bool starts_word(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || (c & '\x80') != 0; }
bool continues_word(char c) { return starts_word(c) || std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_literal_prefix(std::string_view word) {
    for (const std::string_view prefix : {"u8", "u", "U", "L", "R", "u8R", "uR", "UR", "LR"})
        if (word == prefix) return true;
    return false;
}

class Reader {
  public:
    explicit Reader(std::string_view source) : source_(source) {}

    std::vector<Token> read() {
        while (at_ < source_.size())
            if (!skip_space()) token();
        return std::move(tokens_);
    }

  private:
    char peek(std::size_t ahead = 0) const { return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0'; }
    bool next_is(std::string_view wanted) const { return source_.substr(at_, wanted.size()) == wanted; }

    /// The length of a backslash and the newline after it, or 0.
    std::size_t splice() const { return next_is("\\\n") ? 2 : next_is("\\\r\n") ? 3 : 0; }

    void step(std::size_t count) {
        for (; count > 0 && at_ < source_.size(); --count, ++at_)
            if (source_[at_] == '\n') ++line_;
    }

    bool skip_space() {
        if (const std::size_t length = splice()) {
            step(length);
        } else if (peek() == '\n') {
            step(1);
            directive_ = 0;
            line_start_ = true;
        } else if (std::isspace(static_cast<unsigned char>(peek())) != 0) {
            step(1);
        } else if (next_is("//")) {
            while (at_ < source_.size() && peek() != '\n') step(std::max<std::size_t>(splice(), 1));
        } else if (next_is("/*")) {
            const std::size_t end = source_.find("*/", at_ + 2);
            step((end == std::string_view::npos ? source_.size() : end + 2) - at_);
        } else {
            return false;
        }
        return true;
    }

    void token() {
        const std::size_t begin = at_;
        const int line = line_;
        Token::Kind kind = Token::Kind::mark;
        if (line_start_ && peek() == '#') directive_ = ++directives_;
        line_start_ = false;
        if (starts_word(peek())) {
            kind = Token::Kind::word;
            while (at_ < source_.size() && continues_word(peek())) step(1);
            const std::string_view word = source_.substr(begin, at_ - begin);
            if ((peek() == '"' || peek() == '\'') && is_literal_prefix(word)) {
                kind = Token::Kind::text;
                literal(word.back() == 'R' && peek() == '"');
            }
        } else if (std::isdigit(static_cast<unsigned char>(peek())) != 0 ||
                   (peek() == '.' && std::isdigit(static_cast<unsigned char>(peek(1))) != 0)) {
            kind = Token::Kind::number;
            number();
        } else if (peek() == '"' || peek() == '\'') {
            kind = Token::Kind::text;
            literal(false);
        } else {
            step(next_is("::") || next_is("->") || next_is("##") ? 2 : 1);
        }
        tokens_.push_back({kind, source_.substr(begin, at_ - begin), begin, line, directive_});
        if (kind == Token::Kind::word) free_text();
    }

    void number() {
        for (char last = '\0'; at_ < source_.size(); step(1)) {
            const char c = peek();
            const bool sign = (c == '+' || c == '-') && (last == 'e' || last == 'E' || last == 'p' || last == 'P');
            const bool separator = c == '\'' && continues_word(peek(1));
            if (!continues_word(c) && c != '.' && !sign && !separator) break;
            last = c;
        }
    }

    void literal(bool raw) {
        if (raw) {
            const std::size_t open = source_.find('(', at_);
            if (open == std::string_view::npos) return step(source_.size() - at_);
            const std::string end = ")" + std::string(source_.substr(at_ + 1, open - at_ - 1)) + "\"";
            const std::size_t close = source_.find(end, open);
            return step((close == std::string_view::npos ? source_.size() : close + end.size()) - at_);
        }
        const char quote = peek();
        step(1);
        // One that is not closed ends with its line: the compiler will say so.
        while (at_ < source_.size() && peek() != quote && peek() != '\n') {
            const std::size_t spliced = splice();
            step(spliced != 0 ? spliced : peek() == '\\' ? 2 : 1);
        }
        if (peek() == quote) step(1);
    }

    /// What follows #error and its like is prose: an apostrophe opens nothing.
    void free_text() {
        if (directive_ == 0 || tokens_.size() < 2 || !tokens_[tokens_.size() - 2].is("#")) return;
        if (tokens_[tokens_.size() - 2].directive != directive_) return;
        for (const std::string_view word : {"error", "warning", "pragma"})
            if (tokens_.back().is(word))
                while (at_ < source_.size() && peek() != '\n') step(std::max<std::size_t>(splice(), 1));
    }

    std::string_view source_;
    std::size_t at_ = 0;
    int line_ = 1, directive_ = 0, directives_ = 0;
    bool line_start_ = true;
    std::vector<Token> tokens_;
};

bool opens(const Token& token) { return token.is("(") || token.is("[") || token.is("{"); }
bool closes(const Token& token) { return token.is(")") || token.is("]") || token.is("}"); }

} // namespace

std::vector<Token> tokens_of(std::string_view source) { return Reader(source).read(); }

std::size_t closing(const std::vector<Token>& tokens, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < tokens.size(); ++i) {
        // Code goes on after a directive within it; a directive ends where it ends.
        if (tokens[i].directive != tokens[open].directive) {
            if (tokens[open].directive != 0) break;
            continue;
        }
        if (opens(tokens[i])) ++depth;
        if (closes(tokens[i]) && --depth == 0) return i;
    }
    return tokens.size();
}

std::size_t opening(const std::vector<Token>& tokens, std::size_t close) {
    int depth = 0;
    for (std::size_t i = close + 1; i-- > 0;) {
        if (tokens[i].directive != tokens[close].directive) {
            if (tokens[close].directive != 0) break;
            continue;
        }
        if (closes(tokens[i])) ++depth;
        if (opens(tokens[i]) && --depth == 0) return i;
    }
    return tokens.size();
}

} // namespace assay::simt
