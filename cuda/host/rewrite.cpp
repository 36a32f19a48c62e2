// The rewriter: it looks for three patterns among the tokens, and edits the text at their places.
#include "rewrite.hpp"

#include "tokens.hpp"
#include "unsupported.hpp"

#include <algorithm>

namespace assay::simt {

namespace {

struct Edit {
    std::size_t begin, end;
    std::string text;
};

class Rewriter {
  public:
    Rewriter(std::string_view source, std::string_view name)
        : source_(source), name_(name), tokens_(tokens_of(source)) {}

    Rewritten run() {
        result_.unsupported = find_unsupported(tokens_);
        for (std::size_t i = 0; i < tokens_.size(); ++i) {
            if (is_launch(i)) launch(i);
            if (tokens_[i].is("__global__")) kernel(i);
            if (tokens_[i].is("__shared__")) shared(i);
            // A macro of that name would break the standard library's own __attribute__((__noinline__)).
            if (tokens_[i].is("__noinline__")) replace(i, i, "__attribute__((noinline))");
        }
        std::stable_sort(edits_.begin(), edits_.end(), [](const Edit& a, const Edit& b) { return a.begin < b.begin; });
        result_.text = "#include <" + std::string(included_first) + ">\n#line 1 \"" + std::string(name_) + "\"\n";
        std::size_t at = source_.substr(0, 3) == "\xEF\xBB\xBF" ? 3 : 0;
        for (const Edit& edit : edits_) {
            if (edit.begin < at) continue; // within another: that one was told as unsupported
            result_.text += source_.substr(at, edit.begin - at);
            result_.text += edit.text;
            at = edit.end;
        }
        result_.text += source_.substr(at);
        return std::move(result_);
    }

  private:
    std::string_view slice(std::size_t first, std::size_t last) const {
        return source_.substr(tokens_[first].begin, tokens_[last].end() - tokens_[first].begin);
    }
    void replace(std::size_t first, std::size_t last, std::string text) {
        edits_.push_back({tokens_[first].begin, tokens_[last].end(), std::move(text)});
    }
    void insert(std::size_t offset, std::string text) { edits_.push_back({offset, offset, std::move(text)}); }
    void refuse(std::size_t token, std::string sentence) {
        result_.unsupported.push_back({tokens_[token].line, std::move(sentence)});
    }

    /// Three of one mark with nothing between them.
    bool triple(std::size_t i, std::string_view mark) const {
        if (i + 2 >= tokens_.size()) return false;
        for (std::size_t k = 0; k < 3; ++k)
            if (!tokens_[i + k].is(mark) || tokens_[i + k].begin != tokens_[i].begin + k) return false;
        return true;
    }
    bool is_launch(std::size_t i) const { return triple(i, "<") && (i == 0 || !triple(i - 1, "<")); }

    void launch(std::size_t open) {
        const std::size_t first = callee(open);
        if (first == open)
            return refuse(open, "<<< stands after nothing that could be a kernel: write kernel<<<grid, block>>>(...)");
        std::size_t close = open + 3;
        while (close < tokens_.size() && tokens_[close].directive == tokens_[open].directive && !triple(close, ">")) {
            const bool bracket = tokens_[close].is("(") || tokens_[close].is("[") || tokens_[close].is("{");
            if (tokens_[close].is(";")) break;
            close = (bracket ? closing(tokens_, close) : close) + 1;
        }
        if (close >= tokens_.size() || !triple(close, ">"))
            return refuse(open, "this <<< has no >>>: write kernel<<<grid, block>>>(...)");
        // Between <<< and >>> nothing is moved to another line but what stood on the kernel's own.
        const std::size_t from = tokens_[open].begin + 3;
        const std::string_view configuration = source_.substr(from, tokens_[close].begin - from);
        const std::string_view kernel =
            source_.substr(tokens_[first].begin, tokens_[open].begin - tokens_[first].begin);
        replace(first, close + 2,
                "::assay::simt::launch_on(" + std::string(configuration) + ") ? (void)0 : " + std::string(kernel));
    }

    /// The first token of the expression that ends before `end`: a name with its scopes and template arguments, a
    /// subscript, a call or something in parentheses. `end` where there is none.
    std::size_t callee(std::size_t end) const {
        std::size_t at = end;
        while (at > 0 && tokens_[at - 1].directive == tokens_[end].directive) {
            std::size_t part = at - 1; // the last token of what would come next, going backwards
            if (tokens_[part].is(">")) {
                part = template_opening(part);
                if (part == tokens_.size() || part == 0) return end;
                --part;
                if (tokens_[part].kind != Token::Kind::word) return end;
            } else if (tokens_[part].is(")") || tokens_[part].is("]")) {
                const bool subscript = tokens_[part].is("]");
                part = opening(tokens_, part);
                if (part == tokens_.size()) return end;
                const bool named = part > 0 && tokens_[part - 1].kind == Token::Kind::word;
                if (named || subscript) {
                    at = part;
                    continue;
                }
            } else if (tokens_[part].kind != Token::Kind::word) {
                return end;
            }
            at = part;
            const auto joins = [&](std::string_view mark) { return at > 0 && tokens_[at - 1].is(mark); };
            if (joins("::")) {
                --at;
                const bool scoped = at > 0 && (tokens_[at - 1].kind == Token::Kind::word || tokens_[at - 1].is(">")) &&
                                    !is_keyword(tokens_[at - 1].text);
                if (!scoped) return at;
            } else if (joins(".") || joins("->") || joins("##")) {
                --at;
            } else {
                return at;
            }
        }
        return at;
    }

    static bool is_keyword(std::string_view word) { return word == "return" || word == "else" || word == "do"; }

    /// The < of the template arguments that end at `close`, or tokens_.size().
    std::size_t template_opening(std::size_t close) const {
        int depth = 0;
        for (std::size_t i = close + 1; i-- > 0;) {
            if (tokens_[i].is(">")) ++depth;
            if (tokens_[i].is("<") && --depth == 0) return i;
            if (tokens_[i].is(")") || tokens_[i].is("]") || tokens_[i].is("}")) {
                i = opening(tokens_, i);
                if (i == tokens_.size()) break;
            }
            if (tokens_[i].is(";") || tokens_[i].is("{")) break;
        }
        return tokens_.size();
    }

    void kernel(std::size_t global) {
        for (std::size_t i = global + 1; i < tokens_.size(); ++i) {
            if (tokens_[i].directive != tokens_[global].directive) {
                if (tokens_[global].directive == 0) continue; // an #if among the parameters
                break;
            }
            if (tokens_[i].is(";")) return; // a declaration
            if (tokens_[i].is("(") || tokens_[i].is("[")) i = closing(tokens_, i);
            if (i >= tokens_.size()) break;
            if (!tokens_[i].is("{")) continue;
            const std::size_t close = closing(tokens_, i);
            if (close == tokens_.size()) break;
            insert(tokens_[i].end(), " ::assay::simt::kernel(__func__, [=]() mutable {");
            insert(tokens_[close].begin, "}); ");
            return;
        }
        refuse(global,
               "the CPU emulation of CUDA does not find this kernel's body: write __global__ and the body, with its "
               "own braces, in one place");
    }

    void shared(std::size_t word) {
        std::size_t first = word, end = word;
        const int directive = tokens_[word].directive;
        const auto ends = [&](const Token& token) {
            return token.directive != directive || token.is(";") || token.is("{") || token.is("}") || token.is(")");
        };
        while (first > 0 && !ends(tokens_[first - 1])) --first;
        bool dynamic = false;
        std::size_t open = tokens_.size(); // the first [
        for (; end < tokens_.size() && tokens_[end].directive == directive && !tokens_[end].is(";"); ++end)
            if (tokens_[end].is("(") || tokens_[end].is("{")) {
                end = std::min(closing(tokens_, end), tokens_.size() - 1);
            } else if (tokens_[end].is("[") && open == tokens_.size()) {
                open = end;
            }
        for (std::size_t i = first; i < end && i < open; ++i) dynamic = dynamic || tokens_[i].is("extern");
        if (!dynamic) return;
        if (end == tokens_.size() || !tokens_[end].is(";") || open >= end || open <= word + 1 ||
            tokens_[open - 1].kind != Token::Kind::word)
            return refuse(word, "dynamic shared memory is declared as extern __shared__ T name[];");
        std::string type;
        for (std::size_t i = first; i + 1 < open; ++i) {
            const Token& token = tokens_[i];
            if (token.is("extern") || token.is("__shared__")) continue;
            if (token.is("__align__") || token.is("alignas") || token.is("__attribute__")) {
                i = closing(tokens_, i + 1); // dynamic memory is aligned to 1024 bytes
                continue;
            }
            type += (type.empty() ? "" : " ") + std::string(token.text);
        }
        const std::string array = type + std::string(slice(open, end - 1));
        for (std::size_t i = open; i < end; ++i)
            if (tokens_[i].is(",")) return refuse(word, "one extern __shared__ array a declaration, please");
        replace(first, end,
                std::string(static_cast<std::size_t>(tokens_[end].line - tokens_[first].line), '\n') +
                    "[[maybe_unused]] ::assay::simt::Dynamic<" + array + ">& " + std::string(tokens_[open - 1].text) +
                    " = ::assay::simt::dynamic_array<" + array + ">();");
    }

    std::string_view source_, name_;
    std::vector<Token> tokens_;
    std::vector<Edit> edits_;
    Rewritten result_;
};

} // namespace

Rewritten rewrite(std::string_view source, std::string_view name) { return Rewriter(source, name).run(); }

} // namespace assay::simt
