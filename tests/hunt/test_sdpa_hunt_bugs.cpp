// The bugs of the hunt sdpa: alone, in pairs, and in random subsets of three and four.
#include "hunt/hunting.hpp"

#include <set>

using namespace assay;
using hunting::Hunting;

namespace {

const Hunting& sdpa() {
    static const Hunting one("sdpa");
    return one;
}

std::string pair_of(int a, int b) { return sdpa().names({a, b}); }

/// Pairs in slots of their own that behave like fewer bugs, with the reason. They are never planted together.
const std::set<std::string>& inseparable() {
    static const std::set<std::string> pairs{};
    return pairs;
}

} // namespace

TEST_CASE("sdpa's hunt: 28 bugs, each with a fragment, a sentence and probes, each fragment a bug") {
    std::set<std::string> ids;
    for (int at = 0; at < sdpa().count(); ++at) {
        const Bug& bug = sdpa().bug(at);
        INFO(bug.id);
        ids.insert(bug.id);
        CHECK(sdpa().place(at).second > 0);
        CHECK_FALSE(bug.sentence.empty());
        CHECK_FALSE(bug.probes.empty());
    }
    CHECK(ids.size() == 28);
    for (const Slot& slot : sdpa().whole.slots)
        for (const Fragment& fragment : slot.fragments) {
            INFO(slot.name << "/" << fragment.name);
            CHECK(fragment.is_right() == (ids.count(fragment.name) == 0));
        }
}

TEST_CASE("sdpa's hunt: every probe of every bug tells it from right code and fails the exercise") {
    const std::vector<int> right(sdpa().whole.slots.size(), 0);
    for (int at = 0; at < sdpa().count(); ++at)
        for (const std::string& probe : sdpa().bug(at).probes) {
            INFO(sdpa().bug(at).id << " on " << probe);
            const HuntCase& asked = sdpa().one(probe);
            const Truths wrong = sdpa().answer(sdpa().with({at}).choices, asked);
            CHECK(hunting::apart(wrong, sdpa().answer(right, asked)));
            CHECK_FALSE(agrees(rounded(wrong), sdpa().truth(asked)));
        }
}

TEST_CASE("sdpa's hunt: every pair is found by a probe, and told apart save where one hides or undoes the other") {
    std::set<std::string> hidden;
    int pairs = 0;
    for (int a = 0; a < sdpa().count(); ++a)
        for (int b = a + 1; b < sdpa().count(); ++b) {
            if (sdpa().share_a_slot({a, b})) continue;
            ++pairs;
            const Planted both = sdpa().with({a, b});
            INFO(pair_of(a, b));
            if (!sdpa().told_apart(both)) {
                hidden.insert(pair_of(a, b));
                continue;
            }
            CHECK(sdpa().found_by_a_probe(both));
        }
    WARN(pairs << " pairs, " << hidden.size() << " inseparable");
    for (const std::string& pair : hidden) WARN(pair);
    CHECK(hidden == inseparable());
}

TEST_CASE("sdpa's hunt: with either bug of a pair mended, one is left") {
    Random random(1, "pairs");
    for (int a = 0; a < sdpa().count(); ++a)
        for (int b = a + 1; b < sdpa().count(); ++b) {
            if (sdpa().share_a_slot({a, b}) || inseparable().count(pair_of(a, b)) == 1) continue;
            if (!hunting::long_suite() && !random.chance(0.1)) continue;
            const Planted both = sdpa().with({a, b});
            INFO(pair_of(a, b));
            CHECK(sdpa().remaining(both, both.choices) == 2);
            CHECK(sdpa().remaining(both, sdpa().with({a}).choices) == 1);
            CHECK(sdpa().remaining(both, sdpa().with({b}).choices) == 1);
            CHECK(sdpa().remaining(both, sdpa().with({}).choices) == 0);
        }
}

TEST_CASE("sdpa's hunt: 500 random subsets of three and four are found by a probe") {
    Random random(2, "subsets");
    for (int n = 0; n < 500; ++n) {
        const Planted planted = sdpa().drawn(3 + n % 2, random);
        INFO(sdpa().names(planted.bugs));
        CHECK(sdpa().found_by_a_probe(planted));
    }
}
