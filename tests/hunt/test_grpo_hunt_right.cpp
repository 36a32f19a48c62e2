// Right fragments, variants and decoys of the hunt grpo: as right as the exercise asks, and alike under every bug; and
// how far the model's bounds lie from either side.
#include "hunt/hunting.hpp"

#include <cmath>

using namespace assay;
using hunting::Hunting;

namespace {

const Hunting& grpo() {
    static const Hunting one("grpo");
    return one;
}

/// Within the exercise's own bounds.
void expect_right(const std::vector<int>& choices, const Problem& problem, const std::string& what) {
    const double ratio =
        worst_ratio(rounded(run_choices(grpo().hunt, choices, problem)), *grpo().exercise.oracle(problem, "", 0));
    INFO(what << ", error / bound " << ratio);
    CHECK(ratio <= 1);
}

/// The largest difference as a share of the model's bound; infinite where one is NaN alone.
double distance(const Truths& a, const Truths& b) {
    double most = 0;
    for (std::size_t t = 0; t < a.size(); ++t)
        for (std::size_t i = 0; i < a[t].value.size(); ++i) {
            const double x = a[t].value[i], y = b[t].value[i];
            if (differ(x, y, HUGE_VAL)) return HUGE_VAL;
            if (std::isfinite(x)) most = std::max(most, std::fabs(x - y) / (a[t].bound[i] + b[t].bound[i]));
        }
    return most;
}

} // namespace

TEST_CASE("grpo's hunt: every right fragment and decoy is right on every case, and within the model's bounds") {
    double most = 0;
    int tried = 0;
    const std::vector<int> plain(grpo().whole.slots.size(), 0);
    for (std::size_t slot = 0; slot < plain.size(); ++slot)
        for (std::size_t i = 0; i < grpo().whole.slots[slot].fragments.size(); ++i) {
            if (!grpo().whole.slots[slot].fragments[i].is_right()) continue;
            ++tried;
            std::vector<int> choices = plain;
            choices[slot] = static_cast<int>(i);
            for (const HuntCase& one : grpo().cases) {
                expect_right(choices, one.problem, one.one->id);
                most = std::max(most, distance(grpo().answer(choices, one), grpo().answer(plain, one)));
            }
        }
    CHECK(tried > 45);
    CHECK(most < 1e-2); // of the bound
}

TEST_CASE("grpo's hunt: every bug alone is a million bounds away from right code on its probe") {
    const std::vector<int> plain(grpo().whole.slots.size(), 0);
    for (int at = 0; at < grpo().count(); ++at) {
        const HuntCase& one = grpo().one(grpo().bug(at).probes.front());
        INFO(grpo().bug(at).id);
        CHECK(distance(grpo().answer(grpo().with({at}).choices, one), grpo().answer(plain, one)) > 1e6);
    }
}

TEST_CASE("grpo's hunt: all right fragments drawn together are right on every case and on random problems") {
    Random random(4, "right");
    for (int n = 0; n < (hunting::long_suite() ? 1000 : 100); ++n) {
        const std::vector<int> choices = grpo().right_choices(random);
        for (const HuntCase& one : grpo().cases) expect_right(choices, one.problem, one.one->id);
    }
    for (std::uint64_t seed = 0; seed < (hunting::long_suite() ? 20000u : 2000u); ++seed) {
        const Problem problem = grpo().exercise.random(seed);
        expect_right(grpo().right_choices(random), problem, "random problem " + std::to_string(seed));
    }
}

TEST_CASE("grpo's hunt: which right fragments and decoys stand beside bugs does not show") {
    Random random(5, "variants");
    for (int n = 0; n < (hunting::long_suite() ? 2000 : 200); ++n) {
        const Planted planted = n < grpo().count() ? grpo().with({n}) : grpo().drawn(2 + n % 3, random);
        std::vector<int> choices = grpo().right_choices(random);
        for (const int at : planted.bugs) choices[grpo().place(at).first] = grpo().place(at).second;
        for (const HuntCase& one : grpo().cases) {
            INFO(grpo().names(planted.bugs) << " on " << one.one->id);
            CHECK(agrees(rounded(grpo().answer(choices, one)), grpo().answer(planted.choices, one)));
        }
    }
}
