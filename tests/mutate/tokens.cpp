#include "tokens.hpp"

#include <algorithm>
#include <cctype>
#include <string>

namespace assay::mutate {

namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

class Lexer {
  public:
    explicit Lexer(std::string_view source) : source_(source) {}

    std::vector<Token> run() {
        while (skip_blank(), at_ < source_.size()) take();
        return std::move(tokens_);
    }

  private:
    std::string_view source_;
    std::size_t at_ = 0;
    int line_ = 1;
    bool fresh_line_ = true;
    std::vector<Token> tokens_;

    char peek(std::size_t ahead = 0) const { return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0'; }

    void step() {
        if (source_[at_] == '\n') {
            ++line_;
            fresh_line_ = true;
        }
        ++at_;
    }

    /// A backslash at a line's end goes on to the next line.
    void skip_line() {
        while (at_ < source_.size() && !(peek() == '\n' && source_[at_ - 1] != '\\')) step();
    }

    void skip_blank() {
        while (at_ < source_.size()) {
            if (is_space(peek())) {
                step();
            } else if (peek() == '/' && peek(1) == '/') {
                skip_line();
            } else if (peek() == '/' && peek(1) == '*') {
                const std::size_t end = source_.find("*/", at_ + 2);
                const std::size_t stop = end == std::string_view::npos ? source_.size() : end + 2;
                while (at_ < stop) step();
            } else if (peek() == '#' && fresh_line_) {
                skip_line();
            } else {
                return;
            }
        }
    }

    std::size_t length() const {
        if (is_digit(peek()) || (peek() == '.' && is_digit(peek(1)))) return number_length();
        if (is_word(peek())) {
            std::size_t n = 0;
            while (is_word(peek(n))) ++n;
            return n;
        }
        if (peek() == '"' || peek() == '\'') {
            std::size_t n = 1;
            while (at_ + n < source_.size() && peek(n) != peek()) n += peek(n) == '\\' ? 2 : 1;
            return n + 1;
        }
        static const char* const longer[] = {"<<=", "...", "->", "::", "++", "--", "&&", "||", "+=", "-=", "*=",
                                             "/=",  "%=",  "&=", "|=", "^=", "==", "!=", "<=", ">=", "<<"};
        for (const char* mark : longer)
            if (source_.substr(at_, std::string_view(mark).size()) == mark) return std::string_view(mark).size();
        return 1;
    }

    std::size_t number_length() const {
        std::size_t n = 0;
        while (is_word(peek(n)) || peek(n) == '.' || peek(n) == '\'' ||
               ((peek(n) == '+' || peek(n) == '-') && n > 0 && std::string_view("eEpP").find(peek(n - 1)) < 4))
            ++n;
        return n;
    }

    void take() {
        Token token;
        token.offset = at_;
        token.line = line_;
        token.space_before = at_ == 0 || is_space(source_[at_ - 1]);
        const std::size_t n = std::min(length(), source_.size() - at_);
        token.text = source_.substr(at_, n);
        if (is_digit(token.text[0]) || (token.text[0] == '.' && n > 1 && is_digit(token.text[1])))
            token.kind = Token::Kind::number;
        else if (is_word(token.text[0]))
            token.kind = Token::Kind::word;
        else if (token.text[0] == '"' || token.text[0] == '\'')
            token.kind = Token::Kind::text;
        for (std::size_t i = 0; i < n; ++i) step();
        fresh_line_ = false;
        token.space_after = at_ == source_.size() || is_space(source_[at_]);
        tokens_.push_back(token);
    }
};

} // namespace

std::vector<Token> tokens_of(std::string_view source) { return Lexer(source).run(); }

std::size_t closing(const std::vector<Token>& tokens, std::size_t open) {
    const std::string_view opens = tokens[open].text;
    const std::string_view closes = opens == "(" ? ")" : opens == "[" ? "]" : "}";
    int depth = 0;
    for (std::size_t i = open; i < tokens.size(); ++i) {
        if (tokens[i].text == opens) ++depth;
        if (tokens[i].text == closes && --depth == 0) return i;
    }
    return tokens.size();
}

std::size_t statement_end(const std::vector<Token>& tokens, std::size_t begin) {
    if (begin >= tokens.size()) return tokens.size();
    const std::string_view first = tokens[begin].text;
    if (first == "{") return std::min(closing(tokens, begin) + 1, tokens.size());
    if ((first == "for" || first == "while" || first == "if") && begin + 1 < tokens.size()) {
        std::size_t end = statement_end(tokens, closing(tokens, begin + 1) + 1);
        if (first == "if" && end < tokens.size() && tokens[end].text == "else") end = statement_end(tokens, end + 1);
        return end;
    }
    for (std::size_t i = begin; i < tokens.size(); ++i) {
        if (tokens[i].text == ";") return i + 1;
        if (tokens[i].text == "(" || tokens[i].text == "[" || tokens[i].text == "{") i = closing(tokens, i);
    }
    return tokens.size();
}

std::size_t block_end(const std::vector<Token>& tokens, std::size_t inside) {
    int depth = 0;
    for (std::size_t i = inside; i < tokens.size(); ++i) {
        if (tokens[i].text == "{") ++depth;
        if (tokens[i].text == "}" && --depth < 0) return i;
    }
    return tokens.size();
}

} // namespace assay::mutate
