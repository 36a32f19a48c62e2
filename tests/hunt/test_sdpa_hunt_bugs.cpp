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

/// Pairs in slots of their own that behave like one of the two, or like none. They are never planted together.
const std::set<std::string>& inseparable() {
    static const std::set<std::string> pairs{
        // without the scale, what else is done to it has no effect; and applied twice less once is once
        "scale-missing scale-by-d",
        "scale-missing scale-by-model-width",
        "scale-missing scale-by-value-width",
        "scale-missing zero-scale-as-absent",
        "scale-missing scale-twice",
        // no maximum subtracted: it does not matter which, and the rows that a sentinel reaches are 0/0 before it does
        "no-max-subtraction max-from-zero",
        "no-max-subtraction max-not-reset",
        "no-max-subtraction max-over-masked",
        "no-max-subtraction sentinel-1e4",
        "no-max-subtraction sentinel-1e9",
        "max-from-zero sentinel-1e4",
        "max-from-zero sentinel-1e9",
        // a masked logit that is in the softmax, allowed, or above the sentinel's rows is in the maximum rightly
        "max-over-masked mask-after-softmax",
        "max-over-masked mask-inverted",
        "max-over-masked mask-or-causal",
        "max-over-masked sentinel-1e4",
        "max-over-masked sentinel-1e9",
        // the cases with low logits have no masked key then
        "mask-inverted sentinel-1e4",
        "mask-inverted sentinel-1e9",
        "mask-or-causal sentinel-1e4",
        "mask-or-causal sentinel-1e9",
        // no row is empty then, or its weights are finite and none of them meets v: 0 again
        "mask-or-causal empty-row-nan",
        "mask-after-softmax empty-row-nan",
        "sentinel-1e4 empty-row-nan",
        "sentinel-1e9 empty-row-nan",
    };
    return pairs;
}

} // namespace

TEST_CASE("sdpa's hunt: 27 bugs, each with a fragment, a sentence and probes, each fragment a bug") {
    std::set<std::string> ids;
    for (int at = 0; at < sdpa().count(); ++at) {
        const Bug& bug = sdpa().bug(at);
        INFO(bug.id);
        ids.insert(bug.id);
        CHECK(sdpa().place(at).second > 0);
        CHECK_FALSE(bug.sentence.empty());
        CHECK_FALSE(bug.probes.empty());
    }
    CHECK(ids.size() == 27);
    for (const Slot& slot : sdpa().whole.slots)
        for (const Fragment& fragment : slot.fragments) {
            INFO(slot.name << "/" << fragment.name);
            CHECK(fragment.is_right() == (ids.count(fragment.name) == 0));
        }
}

TEST_CASE("sdpa's hunt: bugs that ignore strides read inside the tensors of every case") {
    for (std::uint64_t seed = 0; seed < 3; ++seed)
        for (const HuntCase& one : cases_of(sdpa().hunt, sdpa().exercise, seed))
            for (const char* name : {"q", "k", "v"}) {
                INFO(one.one->id << ": " << name);
                const Array& array = one.problem.array(name);
                if (array.size() == 0) continue;
                const std::int64_t last_row = array.reach() - 1 - (array.extents[3] - 1) * array.strides[3];
                CHECK(last_row + array.extents[3] <= array.reach());
                CHECK(array.reach() <= array.storage_elements());
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
    for (int a = 0; a < sdpa().count(); ++a)
        for (int b = a + 1; b < sdpa().count(); ++b) {
            if (sdpa().share_a_slot({a, b})) continue;
            const Planted both = sdpa().with({a, b});
            INFO(pair_of(a, b));
            if (!sdpa().told_apart(both)) {
                hidden.insert(pair_of(a, b));
                continue;
            }
            CHECK(sdpa().found_by_a_probe(both));
        }
    CHECK(hidden == inseparable());
}

TEST_CASE("sdpa's hunt: with either bug of a pair mended, one is left") {
    Random random(1, "pairs");
    for (int a = 0; a < sdpa().count(); ++a)
        for (int b = a + 1; b < sdpa().count(); ++b) {
            if (sdpa().share_a_slot({a, b}) || inseparable().count(pair_of(a, b)) == 1) continue;
            if (!hunting::long_suite() && !random.chance(0.25)) continue;
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
