// CUDA source as a row of tokens that covers it, as far as the rewriter needs to know them.
#ifndef ASSAY_SIMT_TOKENS_HPP
#define ASSAY_SIMT_TOKENS_HPP

#include <cstddef>
#include <string_view>
#include <vector>

namespace assay::simt {

struct Token {
    enum class Kind { word, number, text, mark }; // text: string, character and raw literals, with their prefix
    Kind kind = Kind::mark;
    std::string_view text; // a part of the source; a mark is one character, but for "::", "->" and "##"
    std::size_t begin = 0;
    int line = 1;
    int directive = 0; // tokens of one preprocessor line share a number from 1; 0 = not in one

    std::size_t end() const { return begin + text.size(); }
    bool is(std::string_view wanted) const { return text == wanted && kind != Kind::text; }
};

/// White space, comments and spliced lines are left out. `source` must outlive the tokens.
std::vector<Token> tokens_of(std::string_view source);

/// The token that closes the bracket at `open` ((, [ or {) within the same directive, or tokens.size().
std::size_t closing(const std::vector<Token>& tokens, std::size_t open);
/// The token that opens the bracket which ends at `close` (), ] or }), or tokens.size().
std::size_t opening(const std::vector<Token>& tokens, std::size_t close);

} // namespace assay::simt

#endif
