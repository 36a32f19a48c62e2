// The trials behind the error bound: right float32 variants stay within it on every kind of data, and variants with a
// coarser precision leave it. Prints what share of the bound each uses. ASSAY_LONG=1 runs them whole.
#include "catch.hpp"
#include "core/random.hpp"
#include "formula.hpp"
#include "trial.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string>

namespace {

using namespace assay;
using namespace assay::tolerance;

struct Worst {
    double share = 0;
    std::string where = "nowhere";
};

std::size_t rows_for(std::size_t n) {
    if (n <= 128) return 32;
    return n <= 1024 ? 8 : 2;
}

std::string number(double share) { return std::isfinite(share) ? fmt::format("{:.3g}", share) : "NaN or infinite"; }

} // namespace

TEST_CASE("right float32 variants stay within the bound") {
    const std::vector<Variant> variants = right_variants();
    REQUIRE(variants.size() == 15);
    REQUIRE(kinds().size() == 11);
    std::vector<Worst> worst(variants.size());
    const std::vector<std::size_t> widths = {1, 3, 8, 64};
    const std::uint64_t seeds = long_mode() ? 5 : 1;
    Random random(1, "trials");
    for (const Kind& kind : kinds())
        for (const std::size_t n : {1u, 2u, 3u, 16u, 31u, 32u, 33u, 127u, 128u, 512u, 1023u, 4096u, 16384u}) {
            // the sample has every kind at every length, in one width of the four
            const std::size_t sampled = widths[static_cast<std::size_t>(random.integer(0, 3))];
            for (const std::size_t D : widths)
                for (std::uint64_t seed = 0; seed < seeds; ++seed) {
                    if (!long_mode() && D != sampled) continue;
                    const Data data = kind.make({rows_for(n), n, D, 4}, seed * 977 + n * 31 + D);
                    const Truth truth = truth_of(data);
                    for (std::size_t which = 0; which < variants.size(); ++which) {
                        const double share = share_of_bound(variants[which], data, truth.value, truth.bound);
                        if (!(share <= worst[which].share))
                            worst[which] = {share, fmt::format("{}, Lk = {}, D = {}", kind.name, n, D)};
                    }
                }
        }
    fmt::print("right variant             error/bound  where\n");
    double all = 0;
    for (std::size_t which = 0; which < variants.size(); ++which) {
        fmt::print("{:<25} {:>11}  {}\n", variants[which].name, number(worst[which].share), worst[which].where);
        INFO(variants[which].name << ": " << worst[which].where);
        CHECK(worst[which].share < 1);
        all = std::max(all, worst[which].share);
    }
    fmt::print("{:<25} {:>11}\n\n", "all", number(all));
    CHECK(all > 0.1); // a bound ten times too wide would be no evidence of anything
}

TEST_CASE("a coarser precision leaves the bound") {
    const std::vector<Variant> variants = wrong_variants();
    const std::vector<Kind> all = kinds();
    const std::uint64_t seeds = long_mode() ? 20 : 3;
    fmt::print(
        "wrong variant             least on normal data  most  and where   (32 rows; Lk 3, 16, 31, 127; D 8, 64)\n");
    for (const Variant& variant : variants) {
        double least = INFINITY; // over trials, of a trial's largest
        Worst most;
        std::size_t kinds_left = 0;
        for (const Kind& kind : all) {
            double most_of_kind = 0;
            for (const std::size_t n : {3u, 16u, 31u, 127u})
                for (const std::size_t D : {8u, 64u})
                    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
                        const Data data = kind.make({32, n, D, 4}, seed * 977 + n * 31 + D);
                        const Truth truth = truth_of(data);
                        const double share = share_of_bound(variant, data, truth.value, truth.bound);
                        if (kind.name == all.front().name) least = std::min(least, share);
                        most_of_kind = std::max(most_of_kind, share);
                        if (share > most.share) most = {share, fmt::format("{}, Lk = {}, D = {}", kind.name, n, D)};
                    }
            if (most_of_kind > 1) ++kinds_left;
        }
        fmt::print("{:<25} {:>20}  {}  {}; beyond the bound on {} of {} kinds\n", variant.name, number(least),
                   number(most.share), most.where, kinds_left, all.size());
        INFO(variant.name);
        CHECK(least > 1); // every trial on plain normal data shows it
        CHECK(kinds_left >= 1);
    }
}
