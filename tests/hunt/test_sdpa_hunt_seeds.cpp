// Hunts of sdpa as seeds draw them, in process: 100 seeds, 1000 where ASSAY_LONG is set.
#include "hunt/hunting.hpp"

using namespace assay;
using hunting::Hunting;

namespace {

const Hunting& sdpa() {
    static const Hunting one("sdpa");
    return one;
}

} // namespace

TEST_CASE("sdpa's hunt: seeds draw bugs that are told apart, found, counted, and right code once all are mended") {
    for (std::uint64_t seed = 0; seed < (hunting::long_suite() ? 1000u : 100u); ++seed) {
        const int count = 1 + static_cast<int>(seed % most_bugs);
        const Planted planted = plant(sdpa().hunt, sdpa().exercise, sdpa().whole, count, seed);
        INFO("seed " << seed << ": " << sdpa().names(planted.bugs));
        CHECK(static_cast<int>(planted.bugs.size()) == count);
        CHECK(sdpa().told_apart(planted)); // with its variants and decoys
        CHECK(sdpa().found_by_a_probe(planted));
        const std::vector<int> mended = with_bugs(sdpa().hunt, sdpa().whole, planted, 0);
        for (const HuntCase& one : sdpa().cases) {
            INFO(one.one->id);
            CHECK(agrees(rounded(sdpa().answer(mended, one)), sdpa().truth(one)));
        }
        if (seed % (hunting::long_suite() ? 4 : 10) != 0) continue;
        CHECK(sdpa().remaining(planted, planted.choices) == count);
        for (int at = 0; at < count; ++at)
            CHECK(sdpa().remaining(planted, with_bugs(sdpa().hunt, sdpa().whole, planted, 1u << at)) == 1);
        CHECK(sdpa().remaining(planted, mended) == 0);
    }
}
