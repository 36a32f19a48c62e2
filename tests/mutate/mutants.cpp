#include "mutants.hpp"

#include "tokens.hpp"

#include "core/random.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>

namespace assay::mutate {

namespace {

using Kind = Token::Kind;

/// A loop's index (or another position, such as a key/value head's number) or an extent, and the tokens among which its
/// name stands for it.
struct Name {
    std::string_view text;
    bool is_extent = false;
    std::size_t declared = 0, end = 0;
};

class Finder {
  public:
    explicit Finder(std::string_view source) : source_(source), tokens_(tokens_of(source)) {}

    std::vector<Mutant> run() {
        find_names();
        for (std::size_t i = 0; i < tokens_.size(); ++i) {
            const Token& token = tokens_[i];
            if (token.kind == Kind::mark) mark(i);
            if (token.kind == Kind::number) number(i);
            if (token.kind == Kind::word) word(i);
        }
        return std::move(found_);
    }

  private:
    std::string_view source_;
    std::vector<Token> tokens_;
    std::vector<Name> names_;
    std::vector<Mutant> found_;
    std::set<std::string> texts_;

    std::string_view text(std::size_t i) const { return i < tokens_.size() ? tokens_[i].text : std::string_view(); }

    void add(Group group, std::size_t i, std::string replacement) {
        const Token& token = tokens_[i];
        const std::size_t line_start = source_.rfind('\n', token.offset) + 1; // npos + 1 is 0
        const auto column = static_cast<int>(token.offset - line_start) + 1;
        Mutant mutant{group, token.offset, token.text.size(), std::move(replacement), token.line, column, ""};
        mutant.change = std::string(token.text) + " -> " + (mutant.text.empty() ? "nothing" : mutant.text);
        std::string whole = mutated(source_, mutant);
        if (whole != source_ && texts_.insert(std::move(whole)).second) found_.push_back(std::move(mutant));
    }

    void find_names() {
        for (std::size_t i = 1; i + 1 < tokens_.size(); ++i) {
            if (tokens_[i].kind != Kind::word || text(i + 1) != "=") continue;
            if (i >= 3 && text(i - 2) == "(" && text(i - 3) == "for") {
                names_.push_back({text(i), false, i, statement_end(tokens_, i - 3)});
                continue;
            }
            const bool declares = tokens_[i - 1].kind == Kind::word || text(i - 1) == ",";
            if (!declares) continue;
            bool is_extent = false;
            for (std::size_t at = i + 2; at < tokens_.size() && text(at) != ";" && text(at) != ","; ++at) {
                is_extent = is_extent || text(at) == "extent";
                if (text(at) == "(") at = std::min(closing(tokens_, at), tokens_.size() - 1);
            }
            if (is_extent || declared_type(i) == "Index")
                names_.push_back({text(i), is_extent, i, block_end(tokens_, i)});
        }
    }

    /// The type with which the declaration of token i begins, const apart.
    std::string_view declared_type(std::size_t i) const {
        std::size_t first = i;
        while (first > 0 && text(first - 1) != ";" && text(first - 1) != "{" && text(first - 1) != "}") --first;
        while (text(first) == "const" || text(first) == "constexpr") ++first;
        return text(first);
    }

    const Name* name_at(std::size_t i) const {
        const Name* innermost = nullptr;
        for (const Name& name : names_)
            if (name.text == text(i) && name.declared < i && i < name.end) innermost = &name;
        return innermost;
    }

    /// Whether an operand ends just before token i, so that an operator there is a binary one.
    bool after_operand(std::size_t i) const {
        if (i == 0) return false;
        const Token& before = tokens_[i - 1];
        return (before.kind == Kind::word && before.text != "return") || before.kind == Kind::number ||
               before.text == ")" || before.text == "]";
    }

    /// x = y where x was declared before.
    bool assigns(std::size_t i) const {
        if (i < 2) return false;
        if (text(i - 1) == ")" || text(i - 1) == "]") return true;
        return tokens_[i - 1].kind == Kind::word &&
               (text(i - 2) == ";" || text(i - 2) == "{" || text(i - 2) == "}" || text(i - 2) == ")");
    }

    void mark(std::size_t i) {
        const std::string_view mark = text(i);
        const auto becomes = [&](std::initializer_list<const char*> others) {
            for (const char* other : others) add(Group::operation, i, other);
        };
        if (mark == "!") becomes({""});
        if (mark == "-" && !after_operand(i)) becomes({""});
        if (mark == "=" && assigns(i)) becomes({"+="});
        // Operators of two operands stand between spaces; * and & of types, < and > of templates do not.
        if (!tokens_[i].space_before || !tokens_[i].space_after || !after_operand(i)) return;
        if (mark == "+") becomes({"-", "*"});
        if (mark == "-") becomes({"+"});
        if (mark == "*") becomes({"/", "+"});
        if (mark == "/") becomes({"*", "%"});
        if (mark == "%") becomes({"/", "*"});
        if (mark == "<") becomes({"<=", ">"});
        if (mark == "<=") becomes({"<", ">"});
        if (mark == ">") becomes({">=", "<"});
        if (mark == ">=") becomes({">", "<"});
        if (mark == "==") becomes({"!="});
        if (mark == "!=") becomes({"=="});
        if (mark == "&&") becomes({"||"});
        if (mark == "||") becomes({"&&"});
        if (mark == "+=") becomes({"-=", "="});
        if (mark == "-=") becomes({"+=", "="});
        if (mark == "*=") becomes({"/=", "="});
        if (mark == "/=") becomes({"*=", "="});
    }

    void word(std::size_t i) {
        static const std::array<const char*, 2> pairs[] = {
            {"true", "false"}, {"break", "continue"}, {"min", "max"},    {"min_element", "max_element"},
            {"exp", "exp2"},   {"fmin", "fmax"},      {"fminf", "fmaxf"}};
        for (const auto& pair : pairs)
            for (const std::size_t side : {0u, 1u})
                if (text(i) == pair[side] &&
                    (text(i + 1) == "(" || text(i + 1) == "<" || side == 1 || text(i) == "true" || text(i) == "break"))
                    add(Group::operation, i, pair[1 - side]);
        const Name* name = name_at(i);
        // Its declaration, the step of its loop, a member of the same name.
        if (name == nullptr || text(i - 1) == "++" || text(i - 1) == "--" || text(i - 1) == "." || text(i + 1) == "=")
            return;
        for (const Name& other : names_)
            if (other.is_extent == name->is_extent && other.text != name->text && other.declared < i && i < other.end)
                add(Group::index, i, std::string(other.text));
        for (const char* step : {" + 1)", " - 1)"}) add(Group::index, i, "(" + std::string(text(i)) + step);
    }

    void number(std::size_t i) {
        const std::string written(text(i));
        if (text(i + 1) == ">" && !tokens_[i + 1].space_before) return; // a template argument
        if (written.find_first_of("xXbB'eEpP") != std::string::npos) return;
        const auto becomes = [&](const std::string& other) { add(Group::constant, i, other); };
        if (written.find('.') == std::string::npos) {
            const std::size_t digits = written.find_first_not_of("0123456789");
            const std::string suffix = digits == std::string::npos ? "" : written.substr(digits);
            const long value = std::strtol(written.c_str(), nullptr, 10);
            for (const long other : {0L, 1L, 2L, value + 1, value - 1}) becomes(std::to_string(other) + suffix);
            return;
        }
        const std::string suffix =
            written.back() == 'f' || written.back() == 'F' ? written.substr(written.size() - 1) : "";
        for (const char* other : {"0.0", "1.0", "2.0", "0.5"})
            if (std::strtod(other, nullptr) != std::strtod(written.c_str(), nullptr)) becomes(other + suffix);
        if (std::strtod(written.c_str(), nullptr) != 0) becomes("(-" + written + ")");
    }
};

} // namespace

std::vector<Mutant> mutants_of(std::string_view source) { return Finder(source).run(); }

std::string mutated(std::string_view source, const Mutant& mutant) {
    std::string whole(source.substr(0, mutant.offset));
    whole += mutant.text;
    whole += source.substr(mutant.offset + mutant.length);
    return whole;
}

std::vector<Pick> draw(const std::vector<std::vector<Mutant>>& mutants, std::size_t count, std::uint64_t seed) {
    std::array<std::vector<Pick>, 3> groups;
    for (std::size_t source = 0; source < mutants.size(); ++source)
        for (std::size_t which = 0; which < mutants[source].size(); ++which)
            groups[static_cast<std::size_t>(mutants[source][which].group)].push_back({source, which});
    Random random(seed, "mutants");
    std::vector<Pick> picks;
    while (picks.size() < count && !(groups[0].empty() && groups[1].empty() && groups[2].empty())) {
        std::vector<Pick>& group = groups[static_cast<std::size_t>(random.integer(0, 2))];
        if (group.empty()) continue;
        const auto at = random.integer(0, static_cast<std::int64_t>(group.size()) - 1);
        std::swap(group[static_cast<std::size_t>(at)], group.back());
        picks.push_back(group.back());
        group.pop_back();
    }
    return picks;
}

} // namespace assay::mutate
