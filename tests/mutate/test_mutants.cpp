// The mutator itself: what it touches, what it leaves alone, and that a seed draws the same mutants.
#include "catch.hpp"
#include "mutants.hpp"
#include "tokens.hpp"

#include <algorithm>
#include <set>
#include <string>

namespace {

using namespace assay::mutate;

const std::string source = R"(#include <vector> // 1 + 1
/* 2 < 3 */
template <class T> void f(tensor<const T, 4> q, tensor<float, 4> out) {
    const char* text = "a - b";
    const Index Lq = q.extent(2), Lk = q.extent(3);
    for (Index i = 0; i < Lq; ++i)
        for (Index j = 0; j < Lk; ++j) {
            if (!text || i > j) continue;
            out(0, 0, i, j) = -1.5f * q(0, 0, i, j);
        }
    for (Index d = 0; d < 4; ++d) out(0, 0, 0, d) += 1;
}
)";

std::set<std::string> changes_on(int line) {
    std::set<std::string> changes;
    for (const Mutant& mutant : mutants_of(source))
        if (mutant.line == line) changes.insert(mutant.change);
    return changes;
}

bool has(const std::set<std::string>& changes, const std::string& change) { return changes.count(change) == 1; }

} // namespace

TEST_CASE("comments, strings, preprocessor lines and template arguments are left alone") {
    for (const int line : {1, 2, 3, 4}) CHECK(changes_on(line).empty());
    std::string commented = "// a < b\n#define X(a) \\\n a + 1\nint f() { return \"1 + 1\"[0]; }";
    for (const Mutant& mutant : mutants_of(commented)) CHECK(mutant.line == 4);
    CHECK(mutants_of(commented).size() == 3); // the index 0 becomes 1, 2 and -1
}

TEST_CASE("operators, indices and constants are changed") {
    const std::set<std::string> loop = changes_on(7);
    CHECK(has(loop, "< -> <="));
    CHECK(has(loop, "Lk -> Lq"));
    CHECK(has(loop, "Lk -> (Lk - 1)"));
    CHECK(has(loop, "j -> i"));
    CHECK(has(loop, "0 -> 1"));
    const std::set<std::string> guard = changes_on(8);
    CHECK(has(guard, "! -> nothing"));
    CHECK(has(guard, "|| -> &&"));
    CHECK(has(guard, "continue -> break"));
    const std::set<std::string> body = changes_on(9);
    CHECK(has(body, "= -> +="));
    CHECK(has(body, "- -> nothing"));
    CHECK(has(body, "1.5f -> 0.5f"));
    CHECK(has(body, "* -> /"));
    CHECK(has(body, "i -> (i + 1)"));
    CHECK_FALSE(has(body, "i -> d")); // d is not in scope there
    CHECK_FALSE(has(changes_on(11), "d -> i"));
}

TEST_CASE("each mutant differs from its source in one token, and no two are the same") {
    const std::vector<Token> before = tokens_of(source);
    std::set<std::string> texts;
    for (const Mutant& mutant : mutants_of(source)) {
        INFO(mutant.line << ": " << mutant.change);
        const std::string text = mutated(source, mutant);
        CHECK(texts.insert(text).second);
        const std::vector<Token> after = tokens_of(text);
        std::size_t start = 0;
        while (start < before.size() && before[start].text == after[start].text) ++start;
        std::size_t end = 0;
        while (end < before.size() - start &&
               before[before.size() - 1 - end].text == after[after.size() - 1 - end].text)
            ++end;
        CHECK(before.size() - start - end <= 1); // at most one token of the source is replaced
    }
    CHECK(texts.size() > 50);
    CHECK(texts.count(source) == 0);
}

TEST_CASE("a seed draws the same mutants each time, another seed others, none twice") {
    const std::vector<std::vector<Mutant>> mutants = {mutants_of(source), mutants_of("int f(int a) { return a + 1; }")};
    const auto names = [&](std::uint64_t seed) {
        std::vector<std::pair<std::size_t, std::size_t>> drawn;
        for (const Pick& pick : draw(mutants, 20, seed)) drawn.emplace_back(pick.source, pick.mutant);
        return drawn;
    };
    CHECK(names(1).size() == 20);
    CHECK(names(1) == names(1));
    CHECK(names(1) != names(2));
    const auto once = names(1);
    CHECK(std::set<std::pair<std::size_t, std::size_t>>(once.begin(), once.end()).size() == 20);
    CHECK(draw(mutants, 100000, 1).size() == mutants[0].size() + mutants[1].size());
}
