// Hunts of grpo as seeds draw them, in process: 150 seeds, 1000 where ASSAY_LONG is set.
#include "hunt/hunting.hpp"

using namespace assay;
using hunting::Hunting;

namespace {

const Hunting& grpo() {
    static const Hunting one("grpo");
    return one;
}

} // namespace

TEST_CASE("grpo's hunt: seeds draw bugs that are told apart, found, counted, and right code once all are mended") {
    for (std::uint64_t seed = 0; seed < (hunting::long_suite() ? 1000u : 150u); ++seed) {
        const int count = 1 + static_cast<int>(seed % most_bugs);
        const Planted planted = plant(grpo().hunt, grpo().exercise, grpo().whole, count, seed);
        INFO("seed " << seed << ": " << grpo().names(planted.bugs));
        CHECK(static_cast<int>(planted.bugs.size()) == count);
        CHECK(grpo().told_apart(planted)); // with its variants and decoys
        CHECK(grpo().found_by_a_probe(planted));
        const std::vector<int> mended = with_bugs(grpo().hunt, grpo().whole, planted, 0);
        for (const HuntCase& one : grpo().cases) {
            INFO(one.one->id);
            CHECK(agrees(rounded(grpo().answer(mended, one)), grpo().truth(one)));
        }
        CHECK(grpo().remaining(planted, planted.choices) == count);
        for (int at = 0; at < count; ++at)
            CHECK(grpo().remaining(planted, with_bugs(grpo().hunt, grpo().whole, planted, 1u << at)) == 1);
        CHECK(grpo().remaining(planted, mended) == 0);
    }
}
