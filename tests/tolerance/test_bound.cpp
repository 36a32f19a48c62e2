// The oracle's error bound against its formula written a second time, and against the tempting sqrt(n) one.
#include "catch.hpp"
#include "core/random.hpp"
#include "formula.hpp"
#include "trial.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace {

using namespace assay;
using namespace assay::tolerance;

void check_equal(const Truth& truth, const Exact& exact) {
    REQUIRE(truth.value.size() == exact.value.size());
    REQUIRE(truth.bound.size() == exact.bound.size());
    double farthest = 0;
    double farthest_bound = 0;
    for (std::size_t n = 0; n < exact.value.size(); ++n) {
        // what is left of a sum that cancels is as exact as its summands, which the bound is in proportion to
        farthest = std::max(farthest, std::fabs(truth.value[n] - exact.value[n]) /
                                          (1e-12 * std::fabs(exact.value[n]) + 1e-6 * exact.bound[n] + 1e-300));
        farthest_bound =
            std::max(farthest_bound, std::fabs(truth.bound[n] - exact.bound[n]) / (1e-6 * exact.bound[n] + 1e-300));
    }
    CHECK(farthest <= 1);
    CHECK(farthest_bound <= 1);
}

/// Every value rounded to the 16-bit storage type.
void store_in(Dtype dtype, std::vector<float>& values) {
    for (float& x : values) {
        std::byte bytes[2];
        store(dtype, bytes, static_cast<double>(x));
        x = static_cast<float>(load(dtype, bytes));
    }
}

} // namespace

TEST_CASE("the oracle's bound is the formula, on every kind of data") {
    for (const Kind& kind : kinds())
        for (const std::size_t n : {1u, 2u, 3u, 16u, 31u, 127u})
            for (const std::size_t D : {1u, 3u, 64u}) {
                INFO(kind.name << ", " << n << " keys, D = " << D);
                const Data data = kind.make({3, n, D, 2}, 1000 * n + D);
                check_equal(truth_of(data), by_formula(data));
            }
}

TEST_CASE("the oracle's bound counts allowed keys only") {
    const Data data = kinds()[1].make({6, 9, 5, 3}, 7);
    Random random(7, "mask");
    std::vector<std::vector<std::size_t>> keys(6);
    Array mask = Array::zeros(Dtype::boolean, {1, 1, 6, 9});
    for (std::size_t i = 0; i < 6; ++i)
        for (std::size_t j = 0; j < 9; ++j) {
            const bool allowed = i != 2 && random.chance(0.5);
            mask.set(Index{0, 0, static_cast<std::int64_t>(i), static_cast<std::int64_t>(j)}, allowed ? 1 : 0);
            if (allowed && j <= i + 3) keys[i].push_back(j); // causal with 6 queries on 9 keys
        }
    CHECK(keys[2].empty());
    const auto truth = [&](bool causal) {
        Problem problem = data.problem();
        problem.find("mask")->value = mask;
        problem.find("causal")->value = causal;
        return truth_of(problem);
    };
    check_equal(truth(true), by_formula(data, {keys}));
    for (std::size_t d = 0; d < 3; ++d) CHECK(truth(true).bound[2 * 3 + d] == 0);
    CHECK(truth(false).bound != truth(true).bound);
}

TEST_CASE("an output in 16 bits adds its own rounding to the bound") {
    struct Stored {
        const char* route;
        Dtype dtype;
        double u_out, least;
    };
    for (const Stored& stored :
         {Stored{"attention_f16_stored", Dtype::f16, 0x1p-11, 0x1p-25},
          Stored{"attention_bf16_stored", Dtype::bf16, 0x1p-8, 0}, Stored{"attention_f16", Dtype::f16, 0, 0},
          Stored{"attention_bf16", Dtype::bf16, 0, 0}}) {
        INFO(stored.route);
        Data data = kinds()[0].make({4, 31, 8, 3}, 11);
        for (std::vector<float>* values : {&data.q, &data.k, &data.v}) store_in(stored.dtype, *values);
        Problem problem = data.problem();
        problem.route = stored.route;
        for (const char* name : {"q", "k", "v"}) {
            const Array& whole = problem.array(name);
            problem.find(name)->value = Array::of(stored.dtype, whole.extents, whole.values());
        }
        if (stored.u_out > 0) problem.find("out")->value = Array::zeros(stored.dtype, problem.array("out").extents);
        check_equal(truth_of(problem), by_formula(data, {{}, stored.u_out, stored.least}));
    }
}

TEST_CASE("a bound with sqrt(n) in the place of n would reject right variants") {
    // Equal logits and a constant v: every addition rounds to the same side, and the error grows like n.
    const Kind kind = kinds()[4];
    Asked asked;
    asked.square_root = true;
    const std::vector<Variant> variants = right_variants();
    std::vector<double> share(variants.size()), tempting_share(variants.size());
    for (std::uint64_t seed = 0; seed < 20; ++seed) { // each another constant
        const Data data = kind.make({1, 16384, 4, 4}, seed);
        const Exact tempting = by_formula(data, asked);
        const Truth truth = truth_of(data);
        for (std::size_t which = 0; which < variants.size(); ++which) {
            const auto largest = [&](double& so_far, const std::vector<double>& value,
                                     const std::vector<double>& bound) {
                so_far = std::max(so_far, share_of_bound(variants[which], data, value, bound));
            };
            largest(share[which], truth.value, truth.bound);
            largest(tempting_share[which], tempting.value, tempting.bound);
        }
    }
    for (std::size_t which = 0; which < variants.size(); ++which) {
        INFO(variants[which].name);
        CHECK(share[which] < 1);
        // pairwise sums apart, whose error grows like log n
        CHECK((tempting_share[which] > 1) == (std::string_view(variants[which].name) != "pairwise sums"));
    }
}
