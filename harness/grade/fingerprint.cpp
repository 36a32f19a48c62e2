#include "grade/fingerprint.hpp"

#include "core/fnv.hpp"
#include "grade/names.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <sstream>

namespace assay {

namespace {

constexpr std::size_t gram = 9, window = 5, least_hashes = 12;

constexpr std::string_view keywords[] = {
    "auto",    "bool",   "break",  "case",     "char",      "class",    "const",  "constexpr", "continue", "def",
    "default", "do",     "double", "elif",     "else",      "enum",     "false",  "float",     "for",      "if",
    "in",      "int",    "long",   "not",      "namespace", "operator", "return", "short",     "signed",   "sizeof",
    "static",  "struct", "switch", "template", "this",      "throw",    "true",   "typedef",   "typename", "unsigned",
    "using",   "void",   "while",  "yield",    "lambda",    "import",   "from",   "and",       "or",       "None"};

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

class Tokens {
  public:
    explicit Tokens(std::string_view source) : text_(source) {}

    std::vector<std::uint64_t> take() {
        while (at_ < text_.size()) step();
        return std::move(tokens_);
    }

  private:
    std::string_view text_;
    std::size_t at_ = 0;
    bool after_std_ = false;
    std::vector<std::uint64_t> tokens_;

    char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

    void step() {
        const char c = peek();
        if (std::isspace(static_cast<unsigned char>(c)) != 0)
            ++at_;
        else if (c == '/' && peek(1) == '/')
            skip_line();
        else if (c == '#') // a directive, or a comment in Python
            skip_line();
        else if (c == '/' && peek(1) == '*')
            at_ = std::min(text_.find("*/", at_ + 2), text_.size() - 2) + 2;
        else if (c == '"' || c == '\'')
            quoted(c);
        else if (std::isdigit(static_cast<unsigned char>(c)) != 0)
            number();
        else if (is_name(c))
            name();
        else {
            after_std_ = after_std_ && c == ':';
            tokens_.push_back(fnv1a(text_.substr(at_++, 1)));
        }
    }

    void skip_line() { at_ = std::min(text_.find('\n', at_), text_.size()); }

    void quoted(char quote) {
        for (++at_; at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n'; ++at_)
            if (text_[at_] == '\\') ++at_;
        at_ = std::min(at_ + 1, text_.size());
        put("\"");
    }

    void number() {
        while (is_name(peek()) || peek() == '.' || peek() == '\'') ++at_;
        put("0");
    }

    void name() {
        const std::size_t begun = at_;
        while (is_name(peek())) ++at_;
        const std::string_view word = text_.substr(begun, at_ - begun);
        const bool own = after_std_ || std::find(std::begin(keywords), std::end(keywords), word) != std::end(keywords);
        const bool is_std = word == "std";
        put(own || is_std ? word : std::string_view("name"));
        after_std_ = is_std;
    }

    void put(std::string_view token) {
        after_std_ = false;
        tokens_.push_back(fnv1a(token));
    }
};

/// What more than a third of the submissions hold is how the exercise is written, not one person's hand.
std::vector<std::uint64_t> common_to(const std::vector<const Fingerprinted*>& group) {
    std::vector<std::uint64_t> common;
    if (group.size() < 10) return common;
    std::map<std::uint64_t, std::size_t> counts;
    for (const Fingerprinted* one : group)
        for (const std::uint64_t hash : one->hashes) ++counts[hash];
    for (const auto& [hash, count] : counts)
        if (count * 3 > group.size()) common.push_back(hash);
    return common;
}

std::vector<std::uint64_t> without(const std::vector<std::uint64_t>& hashes, const std::vector<std::uint64_t>& others) {
    std::vector<std::uint64_t> left;
    std::set_difference(hashes.begin(), hashes.end(), others.begin(), others.end(), std::back_inserter(left));
    return left;
}

} // namespace

std::vector<std::uint64_t> fingerprint_of(std::string_view source) {
    const std::vector<std::uint64_t> tokens = Tokens(source).take();
    std::vector<std::uint64_t> grams, kept;
    for (std::size_t i = 0; i + gram <= tokens.size(); ++i) {
        std::uint64_t hash = 0x9e3779b97f4a7c15u;
        for (std::size_t k = 0; k < gram; ++k) hash = (hash ^ tokens[i + k]) * 0x100000001b3u + (hash >> 29);
        grams.push_back(hash);
    }
    for (std::size_t i = 0; i < grams.size(); ++i) {
        const std::size_t end = std::min(i + window, grams.size());
        kept.push_back(*std::min_element(grams.begin() + static_cast<std::ptrdiff_t>(i),
                                         grams.begin() + static_cast<std::ptrdiff_t>(end)));
        if (end == grams.size()) break;
    }
    std::sort(kept.begin(), kept.end());
    kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
    return kept;
}

std::string to_text(const std::vector<Fingerprinted>& all) {
    std::string text;
    for (const Fingerprinted& one : all) {
        text += escaped_name(one.candidate) + " " + one.exercise;
        for (const std::uint64_t hash : one.hashes) text += fmt::format(" {:x}", hash);
        text += "\n";
    }
    return text;
}

std::vector<Fingerprinted> fingerprints_from(std::string_view text) {
    std::vector<Fingerprinted> all;
    std::istringstream lines{std::string(text)};
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        Fingerprinted one;
        if (!(words >> one.candidate >> one.exercise)) continue;
        one.candidate = plain_name(one.candidate);
        for (std::uint64_t hash = 0; words >> std::hex >> hash;) one.hashes.push_back(hash);
        all.push_back(std::move(one));
    }
    return all;
}

std::vector<Similar> near_identical(const std::vector<Fingerprinted>& all, const std::vector<std::string>& known,
                                    double least) {
    std::vector<std::uint64_t> given;
    for (const std::string& text : known)
        for (const std::uint64_t hash : fingerprint_of(text)) given.push_back(hash);
    std::sort(given.begin(), given.end());
    std::map<std::string, std::vector<std::size_t>> by_exercise;
    for (std::size_t i = 0; i < all.size(); ++i) by_exercise[all[i].exercise].push_back(i);
    std::vector<Similar> similar;
    for (const auto& [exercise, members] : by_exercise) {
        std::vector<const Fingerprinted*> group;
        for (const std::size_t i : members) group.push_back(&all[i]);
        const std::vector<std::uint64_t> common = common_to(group);
        std::vector<std::vector<std::uint64_t>> own(members.size());
        std::map<std::uint64_t, std::vector<std::size_t>>
            holders; // so that only pairs that share something are looked at
        for (std::size_t i = 0; i < members.size(); ++i) {
            own[i] = without(without(group[i]->hashes, given), common);
            if (own[i].size() < least_hashes) own[i].clear();
            for (const std::uint64_t hash : own[i]) holders[hash].push_back(i);
        }
        std::map<std::pair<std::size_t, std::size_t>, std::size_t> shared;
        for (const auto& [hash, who] : holders)
            for (std::size_t x = 0; x < who.size(); ++x)
                for (std::size_t y = x + 1; y < who.size(); ++y) ++shared[{who[x], who[y]}];
        for (const auto& [pair, count] : shared) {
            const std::size_t shorter = std::min(own[pair.first].size(), own[pair.second].size());
            const double share = static_cast<double>(count) / static_cast<double>(shorter);
            if (share >= least) similar.push_back({members[pair.first], members[pair.second], share});
        }
    }
    std::stable_sort(similar.begin(), similar.end(),
                     [](const Similar& a, const Similar& b) { return a.share > b.share; });
    return similar;
}

} // namespace assay
