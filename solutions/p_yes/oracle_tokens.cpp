// Level token-ids: which pieces of a vocabulary stand for a label.
#include "contract.hpp"

#include "core/items.hpp"
#include "oracle.hpp"

#include <algorithm>
#include <assay/unset.hpp>
#include <string>

namespace assay::p_yes_judge {

namespace {

using ::p_yes::found_as;
using ::p_yes::marking;
using ::p_yes::outcome;
using Text = std::u32string;

constexpr char32_t gpt2_mark = 0x120, sentencepiece_mark = 0x2581;

char32_t narrow(char32_t c) { return c & 0xff; }

char32_t lower(char32_t c) { return c >= U'A' && c <= U'Z' ? c + 32 : c; }

char32_t with_bit(char32_t c) { return c | 32; }

Text mapped(Text text, char32_t (*map)(char32_t)) {
    for (char32_t& c : text) c = map(c);
    return text;
}

Text lower(Text text) { return mapped(std::move(text), lower); }

Text capitalised(Text text) {
    text = lower(std::move(text));
    if (!text.empty() && text[0] >= U'a' && text[0] <= U'z') text[0] -= 32;
    return text;
}

Text upper(Text text) {
    for (char32_t& c : text)
        if (c >= U'a' && c <= U'z') c -= 32;
    return text;
}

Text text_of(const Array& array, std::int64_t row = -1) {
    Text text;
    const std::int64_t length = array.extents.back();
    for (std::int64_t j = 0; j < length; ++j) {
        const double c = row < 0 ? array.at({j}) : array.at({row, j});
        if (row >= 0 && c == 0) break;
        text.push_back(static_cast<char32_t>(c));
    }
    return text;
}

bool is_label(const Text& label) {
    return !label.empty() && std::all_of(label.begin(), label.end(), [](char32_t c) { return c >= 0x21 && c <= 0x7e; });
}

struct Found {
    std::vector<char> ids;
    found_as as = found_as::nothing;
    std::int64_t count() const { return std::count(ids.begin(), ids.end(), 1); }
};

class Search {
  public:
    Search(const Problem& problem, const Slips& on) : on_(on) {
        const Array& pieces = problem.array("pieces");
        for (std::int64_t i = 0; i < pieces.extents[0]; ++i) pieces_.push_back(text_of(pieces, i));
        const bool gpt2 = problem.integer("marks") == static_cast<std::int64_t>(marking::gpt2);
        marks_ = {gpt2 ? gpt2_mark : sentencepiece_mark};
        if (on("wrong-mark", 0)) marks_ = {gpt2_mark};
        if (on("wrong-mark", 1)) marks_ = {sentencepiece_mark};
        if (on("wrong-mark", 2)) marks_ = {gpt2_mark, sentencepiece_mark};
        if (on("space-for-mark")) marks_ = {U' '};
    }

    Found stand_for(const Text& label) const {
        Found found;
        for (const Text& piece : pieces_) found.ids.push_back(spells(piece, label) ? 1 : 0);
        if (found.count() > 0) {
            found.as = found_as::spelling;
            if (on_("first-token-too")) add_first_tokens(label, found.ids);
        } else if (!on_("several-tokens-left-out")) {
            add_first_tokens(label, found.ids);
            if (found.count() > 0) found.as = found_as::first_token;
        }
        if (on_("first-spelling-only", 0)) {
            const auto first = std::find(found.ids.begin(), found.ids.end(), 1);
            if (first != found.ids.end()) std::fill(first + 1, found.ids.end(), 0);
        }
        return found;
    }

  private:
    const Slips& on_;
    std::vector<Text> pieces_;
    std::u32string marks_;

    bool is_mark(char32_t c) const { return marks_.find(c) != Text::npos; }

    bool equal(const Text& word, const Text& label) const {
        if (on_("casings-missed", 0)) return word == label;
        if (on_("casings-missed", 1))
            return word == label || word == lower(label) || word == capitalised(label) || word == upper(label);
        if (on_("letters-by-bit")) return mapped(word, with_bit) == mapped(label, with_bit);
        if (on_("characters-narrowed")) return lower(mapped(word, narrow)) == lower(label);
        return lower(word) == lower(label);
    }

    bool spells(Text word, const Text& label) const {
        const bool marked = !word.empty() && is_mark(word[0]);
        if (marked) word.erase(0, 1);
        if (on_("marks-trimmed"))
            while (!word.empty() && marked && is_mark(word[0])) word.erase(0, 1);
        if (on_("marks-trimmed", 1))
            while (!word.empty() && is_mark(word.back())) word.pop_back();
        if ((on_("bare-only") && marked) || (on_("marked-only") && !marked)) return false;
        if (on_("longer-words-too") && word.size() > label.size()) word.resize(label.size());
        return equal(word, label);
    }

    /// Of the label as given, bare and after a mark: the longest piece that the text begins with.
    void add_first_tokens(const Text& label, std::vector<char>& ids) const {
        const bool any_case = on_("first-token-any-case");
        const auto is_prefix = [&](const Text& form, const Text& piece) {
            if (piece.size() > form.size()) return false;
            const Text begin = form.substr(0, piece.size());
            return any_case ? lower(begin) == lower(piece) : begin == piece;
        };
        std::vector<Text> forms;
        if (!on_("marked-only")) forms.push_back(label);
        if (!on_("bare-only"))
            for (const char32_t mark : marks_) forms.push_back(Text(1, mark) + label);
        bool some = false;
        for (const Text& form : forms) {
            if (is_mark(form[0]) && (on_("first-token-bare", 0) || (on_("first-token-bare", 1) && some))) continue;
            const std::size_t least = is_mark(form[0]) && !on_("mark-as-first-token") ? 2 : 1;
            std::size_t best = 0;
            for (const Text& piece : pieces_)
                if (piece.size() >= least && is_prefix(form, piece) &&
                    (best == 0 || (on_("shortest-first-token") ? piece.size() < best : piece.size() > best)))
                    best = piece.size();
            for (std::size_t i = 0; i < pieces_.size() && best > 0; ++i) {
                const Text& piece = pieces_[i];
                const bool fits = on_("every-prefix") ? piece.size() >= least : piece.size() == best;
                if (!fits || piece.empty() || !is_prefix(form, piece)) continue;
                ids[i] = 1;
                some = true;
                if (on_("first-spelling-only", 1)) break;
            }
        }
    }
};

Truths truths_of(outcome state, const Found& yes, const Found& no, std::int64_t collision) {
    const auto V = static_cast<std::int64_t>(yes.ids.size());
    const bool unset = state == outcome::bad_label;
    Items items;
    items.tensor("yes_ids", {V}, {yes.ids.begin(), yes.ids.end()}, std::vector<double>(yes.ids.size(), 0),
                 Dtype::boolean);
    items.tensor("no_ids", {V}, {no.ids.begin(), no.ids.end()}, std::vector<double>(no.ids.size(), 0), Dtype::boolean);
    items.choice("state", static_cast<std::int64_t>(state), "0 ok, 1 bad_label, 2 no_token, 3 collision");
    const char* const as = "0 spelling, 1 first_token, 2 nothing";
    items.choice("yes_as", unset ? -1 : static_cast<std::int64_t>(yes.as), as);
    items.choice("no_as", unset ? -1 : static_cast<std::int64_t>(no.as), as);
    items.whole("yes_count", unset ? unset_integer : yes.count());
    items.whole("no_count", unset ? unset_integer : no.count());
    return items.whole("collision", unset ? unset_integer : collision).take();
}

} // namespace

Truths tokens_level(const Problem& problem, const Slips& on) {
    const Text yes = text_of(problem.array("yes")), no = text_of(problem.array("no"));
    if ((!is_label(yes) || !is_label(no)) && !on("bad-label-accepted")) {
        const Found none{std::vector<char>(static_cast<std::size_t>(problem.array("pieces").extents[0]), 0)};
        return truths_of(outcome::bad_label, none, none, -1);
    }
    const Search search(problem, on);
    const Found for_yes = search.stand_for(yes), for_no = search.stand_for(no);
    std::int64_t collision = -1;
    for (std::size_t i = for_yes.ids.size(); i-- > 0 && !on("collision-missed");)
        if (for_yes.ids[i] != 0 && for_no.ids[i] != 0) collision = static_cast<std::int64_t>(i);
    outcome state = collision >= 0 ? outcome::collision : outcome::ok;
    if (for_yes.count() == 0 || for_no.count() == 0) state = outcome::no_token;
    return truths_of(state, for_yes, for_no, collision);
}

} // namespace assay::p_yes_judge
