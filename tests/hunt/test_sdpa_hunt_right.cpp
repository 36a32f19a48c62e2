// Right fragments, variants and decoys of the hunt sdpa: as right as the exercise asks, and alike under every bug.
#include "hunt/hunting.hpp"

using namespace assay;
using hunting::Hunting;

namespace {

const Hunting& sdpa() {
    static const Hunting one("sdpa");
    return one;
}

/// Within the exercise's own bounds.
void expect_right(const std::vector<int>& choices, const Problem& problem, const std::string& what) {
    const Truths truths = *sdpa().exercise.oracle(problem, "", 0);
    const double ratio = worst_ratio(rounded(run_choices(sdpa().hunt, choices, problem)), truths);
    INFO(what << ", error / bound " << ratio);
    CHECK(ratio <= 1);
}

/// Each right fragment or decoy beside plain right code.
std::vector<std::vector<int>> one_by_one() {
    std::vector<std::vector<int>> all{std::vector<int>(sdpa().whole.slots.size(), 0)};
    for (std::size_t slot = 0; slot < sdpa().whole.slots.size(); ++slot)
        for (std::size_t i = 1; i < sdpa().whole.slots[slot].fragments.size(); ++i)
            if (sdpa().whole.slots[slot].fragments[i].is_right()) {
                all.push_back(all.front());
                all.back()[slot] = static_cast<int>(i);
            }
    return all;
}

} // namespace

TEST_CASE("sdpa's hunt: every right fragment and decoy is right on every case, of the hygiene bonus too") {
    const std::vector<std::vector<int>> all = one_by_one();
    CHECK(all.size() > 20);
    for (std::uint64_t seed = 0; seed < 3; ++seed)
        for (const Level& level : sdpa().exercise.levels)
            for (const Case& one : level.cases) {
                const Problem problem = one.make(seed);
                if (problem.route != "attention") continue;
                for (const std::vector<int>& choices : all) expect_right(choices, problem, one.id);
            }
}

TEST_CASE("sdpa's hunt: all right fragments drawn together are right on every case and on random problems") {
    Random random(4, "right");
    for (int n = 0; n < (hunting::long_suite() ? 300 : 20); ++n) {
        const std::vector<int> choices = sdpa().right_choices(random);
        for (const HuntCase& one : sdpa().cases) expect_right(choices, one.problem, one.one->id);
    }
    int asked = 0;
    for (std::uint64_t seed = 0; seed < 1500; ++seed) {
        const Problem problem = sdpa().exercise.random(seed);
        if (problem.route != "attention") continue;
        ++asked;
        expect_right(sdpa().right_choices(random), problem, "random problem " + std::to_string(seed));
    }
    CHECK(asked > 300);
}

TEST_CASE("sdpa's hunt: which right fragments and decoys stand beside bugs does not show") {
    Random random(5, "variants");
    for (int n = 0; n < (hunting::long_suite() ? 600 : 40); ++n) {
        const Planted planted = n < sdpa().count() ? sdpa().with({n}) : sdpa().drawn(2 + n % 3, random);
        std::vector<int> choices = sdpa().right_choices(random);
        for (const int at : planted.bugs) choices[sdpa().place(at).first] = sdpa().place(at).second;
        for (const HuntCase& one : sdpa().cases) {
            INFO(sdpa().names(planted.bugs) << " on " << one.one->id);
            CHECK(agrees(rounded(sdpa().answer(choices, one)), sdpa().answer(planted.choices, one)));
        }
    }
}
