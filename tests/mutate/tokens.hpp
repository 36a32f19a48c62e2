// C++ source as a row of tokens, as far as a mutator needs to know them.
#ifndef ASSAY_TESTS_MUTATE_TOKENS_HPP
#define ASSAY_TESTS_MUTATE_TOKENS_HPP

#include <cstddef>
#include <string_view>
#include <vector>

namespace assay::mutate {

struct Token {
    enum class Kind { word, number, mark, text };
    Kind kind = Kind::mark;
    std::string_view text; // a part of the source
    std::size_t offset = 0;
    int line = 1;
    bool space_before = false, space_after = false;
};

/// Comments and preprocessor lines are left out; a string or character literal is one token of kind text. Operators are
/// as long as they can be, except that '>' always stands alone unless '=' follows (so that templates close).
/// `source` must outlive the tokens.
std::vector<Token> tokens_of(std::string_view source);

/// The token that closes the bracket opened at `open` ((, [ or {), or tokens.size().
std::size_t closing(const std::vector<Token>& tokens, std::size_t open);

/// One past the last token of the statement that begins at `begin`.
std::size_t statement_end(const std::vector<Token>& tokens, std::size_t begin);

/// One past the last token of the block around `inside`: the index of the '}' that closes it, or tokens.size().
std::size_t block_end(const std::vector<Token>& tokens, std::size_t inside);

} // namespace assay::mutate

#endif
