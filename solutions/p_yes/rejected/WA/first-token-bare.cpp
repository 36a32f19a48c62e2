// encode(label)[0], as if the prompt always ended in a space.
// Level: token-ids
#include "contract.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace p_yes {

namespace {

using text = std::u32string;

struct vocabulary {
    std::vector<text> pieces;
    char32_t mark;
};

char32_t small(char32_t c) { return c >= U'A' && c <= U'Z' ? c + 32 : c; }

text small(text word) {
    for (char32_t& c : word) c = small(c);
    return word;
}

bool begins(const text& word, const text& piece) { return word.compare(0, piece.size(), piece) == 0; }

bool spells(const vocabulary& in, text piece, const text& label) {
    if (!piece.empty() && piece[0] == in.mark) piece.erase(0, 1);
    return small(piece) == small(label);
}

void add_first_token(const vocabulary& in, const text& form, std::size_t least, std::vector<bool>& ids) {
    std::size_t longest = least;
    for (const text& piece : in.pieces)
        if (begins(form, piece)) longest = std::max(longest, piece.size());
    if (longest == least) return;
    for (std::size_t i = 0; i < in.pieces.size(); ++i)
        if (in.pieces[i].size() == longest && begins(form, in.pieces[i])) ids[i] = true;
}

found_as find(const vocabulary& in, const text& label, std::vector<bool>& ids) {
    const auto some = [&] { return std::count(ids.begin(), ids.end(), true) > 0; };
    for (const text& piece : in.pieces) ids.push_back(spells(in, piece, label));
    if (some()) return found_as::spelling;
    add_first_token(in, label, 0, ids);
    return some() ? found_as::first_token : found_as::nothing;
}

bool refused(const text& label) {
    for (char32_t c : label)
        if (c < 0x21 || c > 0x7e) return true;
    return label.empty();
}

} // namespace

tokens label_tokens(marking marks, tensor<const std::int32_t, 2> pieces, tensor<const std::int32_t, 1> yes,
                    tensor<const std::int32_t, 1> no, tensor<bool, 1> yes_ids, tensor<bool, 1> no_ids) {
    vocabulary in{{}, marks == marking::gpt2 ? U'\u0120' : U'\u2581'};
    const int V = pieces.extent(0);
    for (int i = 0; i < V; ++i) {
        text piece;
        for (int j = 0; j < pieces.extent(1) && pieces(i, j) != 0; ++j) piece += char32_t(pieces(i, j));
        in.pieces.push_back(piece);
        yes_ids(i) = no_ids(i) = false;
    }
    text one, other;
    for (int j = 0; j < yes.extent(0); ++j) one += char32_t(yes(j));
    for (int j = 0; j < no.extent(0); ++j) other += char32_t(no(j));
    if (refused(one) || refused(other)) return {outcome::bad_label};
    std::vector<bool> of_yes, of_no;
    tokens t{outcome::ok, find(in, one, of_yes), find(in, other, of_no), 0, 0, -1};
    for (int i = V - 1; i >= 0; --i) {
        yes_ids(i) = of_yes[i];
        no_ids(i) = of_no[i];
        t.yes_count += of_yes[i];
        t.no_count += of_no[i];
        if (of_yes[i] && of_no[i]) t.collision = i;
    }
    if (t.collision >= 0) t.state = outcome::collision;
    if (t.yes_count == 0 || t.no_count == 0) t.state = outcome::no_token;
    return t;
}

} // namespace p_yes
