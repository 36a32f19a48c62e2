// The three times, and where one overtakes another: the exercise's numbers, and a search by brute force.
#include "catch.hpp"
#include "core/random.hpp"
#include "roofline/model.hpp"

using namespace assay::roofline;

namespace {

const Ceilings h100{989e12, 3.35e12, 450e9};

} // namespace

TEST_CASE("the worked example: six H100s, 300 tokens") {
    const Times t = times({5120, 13824, false, 6, 2}, h100, 300);
    REQUIRE(t.compute * 1e6 == Approx(14.313).margin(5e-4));
    REQUIRE(t.memory * 1e6 == Approx(18.395).margin(5e-4));
    REQUIRE(t.network * 1e6 == Approx(11.378).margin(5e-4));
    REQUIRE(t.binding() == Resource::memory);
    REQUIRE(t.bound() == t.memory);
}

TEST_CASE("the work of a network") {
    const Work w = work({10, 30, false, 4, 2}, 7);
    REQUIRE(w.flops == 2 * (2 * 7 * 10 * 30));
    REQUIRE(w.weight_bytes == 2 * 10 * 30 * 2);
    REQUIRE(w.activation_bytes == 7 * (2 * 10 + 30) * 2);
    REQUIRE(w.communication_bytes == 2 * 3.0 / 4 * 7 * 10 * 2);
    const Work gated = work({10, 30, true, 4, 2}, 7);
    REQUIRE(gated.flops == 1.5 * w.flops);
    REQUIRE(gated.weight_bytes == 1.5 * w.weight_bytes);
    REQUIRE(gated.activation_bytes == w.activation_bytes);
    REQUIRE(work({10, 30, false, 4, 1}, 7).weight_bytes == w.weight_bytes / 2);
    REQUIRE(work({10, 30, false, 1, 2}, 7).communication_bytes == 0);
    REQUIRE(times({10, 30, false, 1, 2}, {1e12, 1e12, 0}, 7).network == 0); // and not 0/0
}

TEST_CASE("the exercise's ridge and crossovers") {
    REQUIRE(ridge(h100) == Approx(295.22).margin(0.01));
    const auto compute = [&](std::int64_t d, std::int64_t n) {
        return overtakes_memory({d, 4 * d, false, n, 2}, h100, Resource::compute);
    };
    REQUIRE(compute(8192, 1)->tokens == Approx(303.425).margin(1e-3));
    REQUIRE(compute(8192, 1)->first == 304);
    REQUIRE(compute(8192, 8)->tokens == Approx(376.671).margin(1e-3));
    REQUIRE(compute(8192, 8)->first == 377);
    REQUIRE_FALSE(compute(1024, 8).has_value());
    REQUIRE(overtakes_memory({1024, 4096, false, 8, 2}, h100, Resource::network)->first == 146);
    REQUIRE_FALSE(overtakes_memory({8192, 32768, false, 1, 2}, h100, Resource::network).has_value());
}

TEST_CASE("crossovers and ranges are those that counting token by token finds") {
    assay::Random random(7);
    constexpr std::int64_t most = 3000;
    int changes = 0, none = 0, from_the_start = 0;
    for (int trial = 0; trial < 1000; ++trial) {
        const Ffn ffn{random.integer(1, 200), random.integer(1, 800), random.chance(0.5), random.integer(1, 9),
                      random.chance(0.5) ? 2.0 : 0.5};
        const Ceilings ceilings{random.uniform(1e12, 9e12), random.uniform(2e10, 4e11), random.uniform(1e10, 3e11)};
        CAPTURE(trial, ffn.d_model, ffn.hidden, ffn.gated, ffn.gpus, ceilings.peak, ceilings.bandwidth, ceilings.link);
        const auto at = [&](std::int64_t tokens) { return times(ffn, ceilings, static_cast<double>(tokens)); };
        for (const Resource resource : {Resource::compute, Resource::network}) {
            std::int64_t first = 1;
            while (first <= most && at(first).of(resource) < at(first).memory) ++first;
            const auto found = overtakes_memory(ffn, ceilings, resource);
            if (first <= most) {
                REQUIRE(found.has_value());
                REQUIRE(found->first == first);
                REQUIRE(found->tokens <= static_cast<double>(first) * (1 + 1e-9));
                REQUIRE(found->tokens > static_cast<double>(first - 1) * (1 - 1e-9));
            } else if (found) {
                REQUIRE(found->first > most);
            }
        }
        const auto ranges = binding_ranges(ffn, ceilings);
        REQUIRE(ranges.front().from == 1);
        REQUIRE(ranges.back().to == 0);
        std::size_t range = 0;
        for (std::int64_t tokens = 1; tokens <= most; ++tokens) {
            if (ranges[range].to != 0 && tokens > ranges[range].to) REQUIRE(ranges[++range].from == tokens);
            if (at(tokens).binding() != ranges[range].resource) FAIL("at " << tokens);
        }
        changes += range == 1;
        none += ranges.size() == 1 && ranges[0].resource == Resource::memory;
        from_the_start += ranges[0].resource != Resource::memory;
    }
    REQUIRE(changes > 100); // the trials reach each kind
    REQUIRE(none > 5);
    REQUIRE(from_the_start > 5);
}
