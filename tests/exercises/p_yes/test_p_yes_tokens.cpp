// Token ids: the oracle against a list of every form of a label, and the vocabularies that are built in.
#include "catalogue/embedded.hpp"
#include "core/random.hpp"
#include "p_yes.hpp"

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

using namespace assay;
using namespace assay::p_yes_test;

namespace {

using Text = std::u32string;

/// Every way to write the letters of `label`.
std::set<Text> casings(const Text& label) {
    std::set<Text> all{U""};
    for (const char32_t c : label) {
        std::set<Text> longer;
        for (const Text& begun : all) {
            longer.insert(begun + c);
            if (c >= U'a' && c <= U'z') longer.insert(begun + static_cast<char32_t>(c - 32));
            if (c >= U'A' && c <= U'Z') longer.insert(begun + static_cast<char32_t>(c + 32));
        }
        all = longer;
    }
    return all;
}

std::set<std::size_t> ids_of(const std::vector<Text>& pieces, char32_t mark, const Text& label) {
    std::set<std::size_t> ids;
    for (const Text& form : casings(label))
        for (std::size_t i = 0; i < pieces.size(); ++i)
            if (pieces[i] == form || pieces[i] == mark + form) ids.insert(i);
    if (!ids.empty()) return ids;
    for (const bool marked : {false, true})
        for (std::size_t length = label.size(); length > 0; --length) { // longest first; the mark alone never
            const Text wanted = marked ? mark + label.substr(0, length) : label.substr(0, length);
            const std::size_t before = ids.size();
            for (std::size_t i = 0; i < pieces.size(); ++i)
                if (pieces[i] == wanted) ids.insert(i);
            if (ids.size() > before) break;
        }
    return ids;
}

std::set<std::size_t> found(const Truths& truths, const char* name) {
    std::set<std::size_t> ids;
    const Numbers& mask = item(truths, name).value;
    for (std::size_t i = 0; i < mask.size(); ++i)
        if (mask[i] != 0) ids.insert(i);
    return ids;
}

} // namespace

TEST_CASE("p_yes: token ids against a list of all forms", "[p_yes]") {
    Random random(3, "tokens");
    const std::vector<Text> labels{U"yes", U"no", U"Yes", U"positive", U"possible", U"pos", U"A", U"7", U"it's"};
    const auto pick = [&] { return labels[static_cast<std::size_t>(random.integer(0, 8))]; };
    int states[4] = {0, 0, 0, 0};
    for (int trial = 0; trial < 400; ++trial) {
        const bool gpt2 = random.chance(0.5);
        const char32_t mark = gpt2 ? 0x120 : 0x2581;
        std::vector<Text> pieces;
        for (std::int64_t i = random.integer(0, 16); i > 0; --i) {
            Text piece = pick();
            if (random.chance(0.4))
                piece.resize(static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(piece.size()))));
            for (char32_t& c : piece)
                if (c >= U'a' && c <= U'z' && random.chance(0.1)) c -= 32;
            if (random.chance(0.4)) piece = mark + piece;
            if (random.chance(0.1)) piece = (random.chance(0.5) ? mark : U' ') + piece;
            pieces.push_back(piece);
        }
        const Text yes = pick(), no = pick();
        const Problem problem = tokens(gpt2 ? 0 : 1, pieces, yes, no);
        REQUIRE(exercise().valid(problem));
        const Truths truths = truths_of(problem);
        const std::set<std::size_t> for_yes = ids_of(pieces, mark, yes), for_no = ids_of(pieces, mark, no);
        CHECK(found(truths, "yes_ids") == for_yes);
        CHECK(found(truths, "no_ids") == for_no);
        CHECK(number(truths, "yes_count") == static_cast<double>(for_yes.size()));
        std::vector<std::size_t> shared;
        std::set_intersection(for_yes.begin(), for_yes.end(), for_no.begin(), for_no.end(), std::back_inserter(shared));
        CHECK(number(truths, "collision") == (shared.empty() ? -1 : static_cast<double>(shared.front())));
        const int state = for_yes.empty() || for_no.empty() ? 2 : shared.empty() ? 0 : 3;
        CHECK(number(truths, "state") == state);
        ++states[state];
    }
    CHECK(states[0] > 20);
    CHECK(states[2] > 20);
    CHECK(states[3] > 20);
}

TEST_CASE("p_yes: a label that is refused has no id", "[p_yes]") {
    for (const Text& bad :
         {Text(), Text(U"a b"), Text(U" yes"), Text(U"s\u00ed"), Text(U"\u0120yes"), Text(U"yes\n"), Text(1, 0x7f)}) {
        const Truths truths = truths_of(tokens(0, {U"yes", U"no", U"\u0120", bad}, bad, U"no"));
        CHECK(number(truths, "state") == 1);
        CHECK(found(truths, "yes_ids").empty());
        CHECK(found(truths, "no_ids").empty());
        CHECK(number(truths, "yes_as") == -1);
    }
    CHECK(number(truths_of(tokens(0, {U"!", U"~"}, U"!", U"~")), "state") == 0);
}

TEST_CASE("p_yes: the vocabularies that are built in are those of data/vocabulary", "[p_yes]") {
    for (const char* name : {"gpt2_style", "sentencepiece_style"}) {
        const std::string path = "data/vocabulary/" + std::string(name) + ".txt";
        std::ifstream stream(ASSAY_SOURCE_DIR "/" + path);
        std::stringstream text;
        text << stream.rdbuf();
        REQUIRE(embedded(path).has_value());
        CHECK(*embedded(path) == text.str());
        std::set<std::string> lines;
        std::size_t count = 0;
        for (std::string line; std::getline(text, line); ++count) {
            CHECK_FALSE(line.empty());
            lines.insert(line);
        }
        CHECK(lines.size() == count); // an id of its own for each piece
        CHECK(count > 300);
    }
}
