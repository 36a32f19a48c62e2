// The trials behind the gradients' error bound: four right float32 ways back stay within it on every kind of data, sums
// in 16 bits leave it. Prints what share of the bound each uses. ASSAY_LONG=1 runs them whole.
#include "backward.hpp"
#include "catch.hpp"
#include "core/random.hpp"
#include "core/registry.hpp"
#include "trial.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string>

namespace {

using namespace assay;
using namespace assay::tolerance;

struct Trial {
    Data data;
    std::vector<float> dout;
    Truths truths;
};

Trial trial_of(const Kind& kind, const Shape& shape, std::uint64_t seed) {
    Trial trial{kind.make(shape, seed), {}, {}};
    trial.dout = dout_for(trial.data, seed);
    const Exercise* exercise = find_exercise("sdpa");
    REQUIRE(exercise != nullptr);
    const std::optional<Truths> truths = exercise->oracle(backward_problem(trial.data, trial.dout), "", 0);
    REQUIRE(truths);
    REQUIRE(truths->size() == 3);
    trial.truths = *truths;
    return trial;
}

struct Worst {
    double share = 0;
    std::string where = "nowhere";
};

std::string number(double share) { return std::isfinite(share) ? fmt::format("{:.3g}", share) : "NaN or infinite"; }

} // namespace

TEST_CASE("right float32 gradients stay within the bound") {
    const std::vector<BackwardVariant> variants = right_backward_variants();
    REQUIRE(variants.size() == 4);
    std::vector<Worst> worst(variants.size());
    const std::vector<std::size_t> widths = {1, 3, 8, 64};
    Random random(1, "trials of the gradients");
    for (const Kind& kind : kinds())
        for (const std::size_t n : {1u, 2u, 3u, 16u, 31u, 33u, 127u, 512u, 4096u}) {
            const std::size_t sampled = widths[static_cast<std::size_t>(random.integer(0, 3))];
            for (const std::size_t D : widths)
                for (std::uint64_t seed = 0; seed < (long_mode() ? 5u : 1u); ++seed) {
                    if (!long_mode() && D != sampled) continue;
                    const Trial trial = trial_of(kind, {n <= 128 ? 32u : 4u, n, D, 4}, seed * 977 + n * 31 + D);
                    for (std::size_t which = 0; which < variants.size(); ++which) {
                        const double share = share_of_bound(variants[which], trial.data, trial.dout, trial.truths);
                        if (!(share <= worst[which].share))
                            worst[which] = {share, fmt::format("{}, Lk = {}, D = {}", kind.name, n, D)};
                    }
                }
        }
    fmt::print("right way back            error/bound  where\n");
    double all = 0;
    for (std::size_t which = 0; which < variants.size(); ++which) {
        fmt::print("{:<25} {:>11}  {}\n", variants[which].name, number(worst[which].share), worst[which].where);
        INFO(variants[which].name << ": " << worst[which].where);
        CHECK(worst[which].share < 1);
        all = std::max(all, worst[which].share);
    }
    fmt::print("{:<25} {:>11}\n\n", "all", number(all));
    CHECK(all > 0.05); // a bound twenty times too wide would be no evidence of anything
}

TEST_CASE("gradients whose sums are kept in 16 bits leave the bound") {
    fmt::print("wrong way back            least on normal data   (32 rows; Lk 3, 16, 31, 127; D 8, 64)\n");
    for (const BackwardVariant& variant : wrong_backward_variants()) {
        double least = INFINITY; // over trials, of a trial's largest
        for (const std::size_t n : {3u, 16u, 31u, 127u})
            for (const std::size_t D : {8u, 64u})
                for (std::uint64_t seed = 0; seed < (long_mode() ? 20u : 3u); ++seed) {
                    const Trial trial = trial_of(kinds().front(), {32, n, D, 4}, seed * 977 + n * 31 + D);
                    least = std::min(least, share_of_bound(variant, trial.data, trial.dout, trial.truths));
                }
        fmt::print("{:<25} {:>20}\n", variant.name, number(least));
        INFO(variant.name);
        CHECK(least > 1);
    }
}
