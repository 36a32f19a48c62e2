// The bugs of the hunt grpo: alone, in pairs, and in random subsets of three and four.
#include "hunt/hunting.hpp"

#include <set>

using namespace assay;
using hunting::Hunting;

namespace {

const Hunting& grpo() {
    static const Hunting one("grpo");
    return one;
}

/// Pairs in slots of their own that behave like one of the two. They are never planted together.
const std::set<std::string>& inseparable() {
    static const std::set<std::string> pairs{
        // min(ratio, clamp(ratio, low, high)) is min(ratio, high)
        "clip-one-sided min-before-advantage",
        // min(ratio, high) * A is on the same side of ratio * A for every token of a sequence
        "clip-one-sided mean-before-min",
        // every sequence counts T - 1 tokens: the mean of means is the mean, and none is empty
        "denominator-counts-padding token-mean-for-sequence-mean",
        "denominator-counts-padding empty-not-counted",
    };
    return pairs;
}

/// In the order of their names' places in the hunt, or of the other way round.
bool is_inseparable(int a, int b) {
    return inseparable().count(grpo().names({a, b})) + inseparable().count(grpo().names({b, a})) > 0;
}

} // namespace

TEST_CASE("grpo's hunt: 47 bugs, each with a fragment, a sentence and probes, each fragment a bug") {
    std::set<std::string> ids;
    for (int at = 0; at < grpo().count(); ++at) {
        const Bug& bug = grpo().bug(at);
        INFO(bug.id);
        ids.insert(bug.id);
        CHECK(grpo().place(at).second > 0);
        CHECK_FALSE(bug.sentence.empty());
        CHECK_FALSE(bug.probes.empty());
    }
    CHECK(ids.size() == 47);
    int decoys = 0;
    for (const Slot& slot : grpo().whole.slots)
        for (const Fragment& fragment : slot.fragments) {
            INFO(slot.name << "/" << fragment.name);
            CHECK(fragment.is_right() == (ids.count(fragment.name) == 0));
            decoys += fragment.name.rfind("decoy--", 0) == 0 ? 1 : 0;
        }
    CHECK(decoys >= 10);
}

TEST_CASE("grpo's hunt: every probe of every bug tells it from right code and fails the exercise") {
    const std::vector<int> right(grpo().whole.slots.size(), 0);
    for (int at = 0; at < grpo().count(); ++at)
        for (const std::string& probe : grpo().bug(at).probes) {
            INFO(grpo().bug(at).id << " on " << probe);
            const HuntCase& asked = grpo().one(probe);
            const Truths wrong = grpo().answer(grpo().with({at}).choices, asked);
            CHECK(hunting::apart(wrong, grpo().answer(right, asked)));
            CHECK_FALSE(agrees(rounded(wrong), grpo().truth(asked)));
        }
}

TEST_CASE("grpo's hunt: every pair is found by a probe, and told apart save where one hides the other by nature") {
    std::set<std::string> hidden;
    int pairs = 0;
    for (int a = 0; a < grpo().count(); ++a)
        for (int b = a + 1; b < grpo().count(); ++b) {
            if (grpo().share_a_slot({a, b})) continue;
            ++pairs;
            const Planted both = grpo().with({a, b});
            INFO(grpo().names({a, b}));
            CHECK(grpo().found_by_a_probe(both));
            CHECK(grpo().told_apart(both) != is_inseparable(a, b));
            if (!grpo().told_apart(both)) hidden.insert(grpo().names({a, b}));
        }
    CHECK(hidden.size() == inseparable().size());
    CHECK(pairs > 1000);
}

TEST_CASE("grpo's hunt: with either bug of a pair mended, one is left") {
    for (int a = 0; a < grpo().count(); ++a)
        for (int b = a + 1; b < grpo().count(); ++b) {
            if (grpo().share_a_slot({a, b}) || is_inseparable(a, b)) continue;
            const Planted both = grpo().with({a, b});
            INFO(grpo().names({a, b}));
            CHECK(grpo().remaining(both, both.choices) == 2);
            CHECK(grpo().remaining(both, grpo().with({a}).choices) == 1);
            CHECK(grpo().remaining(both, grpo().with({b}).choices) == 1);
            CHECK(grpo().remaining(both, grpo().with({}).choices) == 0);
        }
}

TEST_CASE("grpo's hunt: a bug that was not planted is like no subset") {
    Random random(3, "others");
    for (int n = 0; n < 100; ++n) {
        const Planted planted = grpo().drawn(3, random);
        const Planted known = grpo().with({planted.bugs[0], planted.bugs[1]});
        INFO(grpo().names(planted.bugs));
        CHECK_FALSE(grpo().remaining(known, planted.choices));
    }
}

TEST_CASE("grpo's hunt: 500 random subsets of three and four are found by a probe") {
    Random random(2, "subsets");
    for (int n = 0; n < 500; ++n) {
        const Planted planted = grpo().drawn(3 + n % 2, random);
        INFO(grpo().names(planted.bugs));
        CHECK(grpo().found_by_a_probe(planted));
    }
}
