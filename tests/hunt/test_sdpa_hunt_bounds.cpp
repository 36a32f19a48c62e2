// How far programs written otherwise, with the same bugs, lie from the hunt sdpa's own: within its bounds, and so they
// are counted as it is.
#include "hunt/hunting.hpp"
#include "hunt/sdpa_otherwise.hpp"

using namespace assay;
using hunting::Hunting;
namespace other = sdpa_otherwise;

namespace {

const Hunting& sdpa() {
    static const Hunting one("sdpa");
    return one;
}

other::Bugs ids(const std::vector<int>& bugs) {
    other::Bugs all;
    for (const int at : bugs) all.insert(sdpa().bug(at).id);
    return all;
}

struct Worst {
    double ratio = 0;
    std::string where;
};

template <class S> void compare_with(const Planted& planted, Worst& worst, const char* style) {
    for (const HuntCase& one : sdpa().cases) {
        const Outputs got = other::run<S>(one.problem, ids(planted.bugs));
        const Truths model = sdpa().answer(planted.choices, one);
        const double ratio = worst_ratio(got, model);
        INFO(style << ": " << sdpa().names(planted.bugs) << " on " << one.one->id << ", error / bound " << ratio);
        CHECK(agrees(got, model));
        if (ratio > worst.ratio)
            worst = {ratio, std::string(style) + " " + sdpa().names(planted.bugs) + " on " + one.one->id};
    }
}

void compare_all(const Planted& planted, Worst& worst) {
    compare_with<other::Folded>(planted, worst, "folded");
    compare_with<other::Halves>(planted, worst, "halves");
    compare_with<other::FoldedExp2>(planted, worst, "folded, exp2");
    compare_with<other::Wide>(planted, worst, "wide");
}

} // namespace

TEST_CASE("sdpa's hunt: four programs written otherwise lie within the bounds, right and with each bug") {
    Worst worst;
    compare_all(sdpa().with({}), worst);
    for (int at = 0; at < sdpa().count(); ++at) compare_all(sdpa().with({at}), worst);
    WARN("largest error / bound " << worst.ratio << ": " << worst.where);
    CHECK(worst.ratio < 0.1);
}

TEST_CASE("sdpa's hunt: four programs written otherwise lie within the bounds with several bugs") {
    Random random(3, "bounds");
    Worst worst;
    for (int n = 0; n < (hunting::long_suite() ? 300 : 12); ++n) compare_all(sdpa().drawn(2 + n % 3, random), worst);
    WARN("largest error / bound " << worst.ratio << ": " << worst.where);
    CHECK(worst.ratio < 0.1);
}
