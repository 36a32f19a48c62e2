// The oracle's numbers: the statement's worked examples, a derivation of their own over random problems, and
// derivatives by central differences.
#include "core/random.hpp"
#include "exercises/grpo/grpo.hpp"

#include <algorithm>
#include <limits>

using namespace assay;
using namespace assay::grpo_test;

namespace {

using Real = long double;

double first_of(const Truths& truths, const std::string& name) {
    for (const Truth& truth : truths)
        if (truth.name == name) return truth.value.front();
    FAIL("no output " << name);
    return 0;
}

Numbers values_of(const Truths& truths, const std::string& name) {
    for (const Truth& truth : truths)
        if (truth.name == name) return truth.value;
    FAIL("no output " << name);
    return {};
}

void are(const Numbers& values, const Numbers& expected, double within = 5e-7) {
    REQUIRE(values.size() == expected.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        INFO("element " << i << ": " << values[i] << ", expected " << expected[i]);
        CHECK(std::fabs(values[i] - expected[i]) <= within);
    }
}

/// The statement's example.
Batch example() {
    Batch b;
    b.N = 2;
    b.T = 3;
    b.lp_old = {-1, -2, 0, -1, -1, -3};
    b.lp_new = {-0.5, -2.1, 0, -1.5, -1, -2.5};
    b.advantage = {1, -0.5};
    b.mask = {1, 1, 0, 1, 1, 1};
    b.longest = 4;
    return b;
}

/// reward - mean by differences of pairs: no mean is formed.
Numbers advantages_by_pairs(const Problem& problem) {
    const Numbers r = problem.array("rewards").values();
    const auto G = static_cast<std::size_t>(problem.integer("group_size"));
    Numbers result;
    for (std::size_t n = 0; n < r.size(); ++n) {
        Real distance = 0, pairs = 0;
        for (std::size_t i = n / G * G; i < (n / G + 1) * G; ++i) {
            distance += static_cast<Real>(r[n]) - static_cast<Real>(r[i]);
            for (std::size_t j = n / G * G; j < i; ++j)
                pairs += (static_cast<Real>(r[i]) - static_cast<Real>(r[j])) *
                         (static_cast<Real>(r[i]) - static_cast<Real>(r[j]));
        }
        const Real d = distance / static_cast<Real>(G);
        const Real variance =
            pairs / (static_cast<Real>(G) * static_cast<Real>(G - static_cast<std::size_t>(problem.integer("ddof"))));
        const Real divisor =
            problem.flag("scale") ? std::sqrt(variance) + static_cast<Real>(problem.number_or("eps", 0)) : 1;
        result.push_back(pairs == 0 ? 0 : static_cast<double>(d / divisor));
    }
    return result;
}

} // namespace

TEST_CASE("grpo: the worked example of the statement, advantages") {
    const Numbers rewards{1, 0, 0, 3};
    const auto of = [&](std::int64_t ddof, double eps, bool scale) {
        return truths_of(advantages_problem(rewards, 4, ddof, eps, scale))[0].value;
    };
    are(of(0, 0, true), {0, -0.816497, -0.816497, 1.632993});
    are(of(1, 1e-4, true), {0, -0.707057, -0.707057, 1.414114});
    are(of(0, 0.1, true), {0, -0.754862, -0.754862, 1.509725});
    are(of(1, 0.1, false), {0, -1, -1, 2});
}

TEST_CASE("grpo: the worked example of the statement, loss") {
    Batch b = example();
    const Truths truths = truths_of(b.problem());
    are(values_of(truths, "terms"), {1.2, 0.904837, 0, -0.4, -0.5, -0.824361});
    are(values_of(truths, "lp_new_grad"), {0, -0.226209, 0, 0, 0.083333, 0.137393});
    are({first_of(truths, "loss")}, {-0.238816});
    b.how = 1;
    are({first_of(truths_of(b.problem()), "loss")}, {-0.076095});
    b.how = 2;
    are({first_of(truths_of(b.problem()), "loss")}, {-0.047560});

    b.how = 0;
    b.beta = 0.1;
    b.lp_ref = {-1, -2.1, 0, -1, -1, -2.5};
    const Truths with_kl = truths_of(b.problem());
    are(values_of(with_kl, "terms"), {1.189347, 0.904837, 0, -0.414872, -0.5, -0.824361});
    are({first_of(with_kl, "loss")}, {-0.233674});
    are(values_of(with_kl, "lp_new_grad"), {0.009837, -0.226209, 0, -0.010812, 0.083333, 0.137393});
}

TEST_CASE("grpo: 200 sets of rewards by differences of pairs") {
    int seen = 0;
    for (std::uint64_t seed = 0; seen < 200; ++seed) {
        const Problem problem = exercise().random(seed);
        if (!is_advantages(problem)) continue;
        ++seen;
        const Truth truth = truths_of(problem)[0];
        const Numbers own = advantages_by_pairs(problem);
        for (std::size_t n = 0; n < own.size(); ++n) {
            INFO("seed " << seed << ", " << truth.value[n] << ", by pairs " << own[n]);
            CHECK(std::fabs(truth.value[n] - own[n]) <= 1e-12 * std::max(1.0, std::fabs(own[n])));
        }
    }
}

TEST_CASE("grpo: the analytic answer is that of the loss written in Var and run backward, on 400 random batches") {
    int seen = 0;
    double worst = 0;
    for (std::uint64_t seed = 0; seen < 400; ++seed) {
        Problem problem = exercise().random(seed);
        if (is_advantages(problem)) continue;
        problem.route = "gradient";
        ++seen;
        const Truths own = truths_of(problem), other = by_tape(problem);
        REQUIRE(own.size() == 3);
        for (std::size_t k = 0; k < own.size(); ++k)
            for (std::size_t i = 0; i < own[k].value.size(); ++i) {
                INFO("seed " << seed << ", " << own[k].name << "[" << i << "]");
                const double off = std::fabs(own[k].value[i] - other[k].value[i]);
                CHECK(off <= own[k].bound[i]);
                if (off > 0) worst = std::max(worst, off / own[k].bound[i]);
            }
    }
    WARN("the tape uses at most " << worst << " of the bound");
}

TEST_CASE("grpo: the gradient is that of central differences") {
    int seen = 0;
    for (std::uint64_t seed = 0; seen < 60; ++seed) {
        Problem problem = exercise().random(seed);
        if (is_advantages(problem)) continue;
        problem.route = "gradient";
        ++seen;
        Batch b = batch_of(problem);
        if (b.lp_old.empty()) b.lp_old = b.lp_new; // what detach() means: it stands still when lp_new moves
        const Numbers gradient = values_of(truths_of(problem), "lp_new_grad");
        for (std::size_t i = 0; i < b.lp_new.size(); ++i) {
            if (b.mask[i] == 0) {
                CHECK(gradient[i] == 0);
                continue;
            }
            const auto loss_at = [&](double lp) {
                Batch there = b;
                there.lp_new[i] = lp;
                return first_of(truths_of(there.problem()), "loss");
            };
            const double h = 1e-5, at = b.lp_new[i]; // all kinks are 1e-3 away
            const double expected = (loss_at(at + h) - loss_at(at - h)) / (2 * h);
            const double size = std::fabs(loss_at(at)) + std::fabs(expected) + 1;
            INFO("seed " << seed << ", element " << i << ": " << gradient[i] << ", by differences " << expected);
            CHECK(std::fabs(gradient[i] - expected) <= 1e-8 * size);
        }
    }
}

TEST_CASE("grpo: on-policy the loss is 0 and every ratio 1, and the gradient is alive") {
    const Truths truths = truths_of(problem_of("grad-on-policy"));
    CHECK(std::fabs(first_of(truths, "loss")) < 1e-18); // 1/12 is rounded
    const Numbers gradient = values_of(truths, "lp_new_grad"), advantage{1.5, -0.5, -1.5, 0.5};
    for (std::size_t i = 0; i < gradient.size(); ++i) CHECK(gradient[i] == -advantage[i / 3] / 12);
    // Without the detach the values are the same, and there is nothing to learn from.
    const Truths cancelled = truths_of(problem_of("grad-on-policy"), "old-not-detached");
    CHECK(std::fabs(first_of(cancelled, "loss")) < 1e-16);
    for (const double slope : values_of(cancelled, "lp_new_grad")) CHECK(slope == 0);
}

TEST_CASE("grpo: ratios 0.5, 0.79, 1, 1.21, 2 with both signs of A: which tokens are clipped, and which learn") {
    const Truths truths = truths_of(problem_of("grad-five-ratios"));
    are(values_of(truths, "terms"), {0.75, 1.185, 1.5, 1.8, 1.8, -0.6, -0.6, -0.75, -0.9075, -1.5}, 1e-12);
    const Numbers gradient = values_of(truths, "lp_new_grad");
    are(gradient, {-0.075, -0.1185, -0.15, 0, 0, 0, 0, 0.075, 0.09075, 0.15}, 1e-12);
    for (const std::size_t clipped : {3u, 4u, 5u, 6u}) CHECK(gradient[clipped] == 0);
}

TEST_CASE("grpo: lengths 2, 0, 3: the empty sequence counts in the mean of means, and in nothing else") {
    Batch b;
    b.N = 3;
    b.T = 3;
    b.lp_new = b.lp_old = Numbers(9, -1);
    b.advantage = {1, 7, 2};
    b.mask = {1, 1, 0, 0, 0, 0, 1, 1, 1};
    b.longest = 5;
    const auto loss = [&](std::int64_t how) {
        b.how = how;
        return first_of(truths_of(b.problem()), "loss");
    };
    CHECK(loss(0) == -1);                           // -(1 + 0 + 2) / 3
    CHECK(std::fabs(loss(1) + 8.0 / 5.0) < 1e-15);  // -(2 + 6) / 5
    CHECK(std::fabs(loss(2) + 8.0 / 15.0) < 1e-15); // -(2 + 6) / (3 * 5)
    CHECK(first_of(truths_of(b.problem(), "empty-sequence-not-counted"), "loss") == loss(2));
    b.how = 0;
    CHECK(first_of(truths_of(b.problem(), "empty-sequence-not-counted"), "loss") == -1.5);
    b.mask.assign(9, 0);
    b.lp_new.assign(9, std::numeric_limits<double>::quiet_NaN());
    for (const std::int64_t how : {0, 1, 2}) {
        CHECK(loss(how) == 0);
        for (const double slope : values_of(truths_of(b.problem()), "lp_new_grad")) CHECK(slope == 0);
    }
}

TEST_CASE("grpo: three rewards of 0.1 have no spread, whatever their computed deviation says") {
    const Problem problem = problem_of("equal-tenths");
    const Truth truth = truths_of(problem)[0];
    const Numbers by_std = truths_of(problem, "zero-spread-by-std")[0].value;
    for (std::size_t n = 0; n < 3; ++n) {
        CHECK(truth.value[n] == 0);
        CHECK(truth.bound[n] == 0);
        CHECK(std::fabs(by_std[n]) > 0.8);
    }
    const Truth fives = truths_of(problem_of("equal-rewards"))[0];
    const Numbers unguarded = truths_of(problem_of("equal-rewards"), "zero-spread-unguarded")[0].value;
    for (std::size_t n = 0; n < 3; ++n) {
        CHECK(fives.value[n] == 0);
        CHECK(std::isnan(unguarded[n]));
    }
}

TEST_CASE("grpo: log-ratios of 1000 stay finite, and the clamp takes their gradient") {
    const Truths truths = truths_of(problem_of("far-apart"));
    for (const Truth& truth : truths)
        for (const double x : truth.value) CHECK(std::isfinite(x));
    CHECK(std::isinf(first_of(truths_of(problem_of("far-apart"), "clamp-forgotten", 0), "loss")));
    Batch b = batch_of(problem_of("far-apart"));
    const Numbers gradient = values_of(truths_of(b.problem()), "lp_new_grad");
    for (const std::size_t i : {0u, 1u, 3u, 4u}) CHECK(gradient[i] == 0);
    CHECK(gradient[2] != 0);
}
