// The worked numbers of the statement and the walkthrough, published facts, and the edges of the domain.
#include "attention_scaling.hpp"
#include "judge/verify.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace assay;
using namespace assay::attention_scaling_test;

namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

bool is_unanswered(const Problem& problem) {
    for (const Truth& truth : truths_of(problem))
        for (const double value : truth.value)
            if (!std::isnan(value)) return false;
    return true;
}

} // namespace

TEST_CASE("attention_scaling: independent entries", "[attention_scaling]") {
    const Truths worked = truths_of(independent(5, 2, 3));
    CHECK(number(worked, "product_variance") == 36);
    CHECK(number(worked, "variance") == 180);
    CHECK(number(worked, "scale") == Approx(0.0745356).epsilon(1e-6));
    // Vaswani et al. 2017, footnote 4: components of mean 0 and variance 1 give q.k mean 0 and variance d_k.
    for (const std::int64_t d : {1, 64, 128}) {
        CHECK(number(truths_of(independent(d, 1, 1)), "variance") == static_cast<double>(d));
        CHECK(number(truths_of(independent(d, 1, 1)), "scale") == Approx(1 / std::sqrt(static_cast<double>(d))));
    }
    CHECK(number(truths_of(independent(7, 1.5, 0)), "scale") == infinity);
    CHECK(number(truths_of(independent(5'000'000'011, 1, 1)), "variance") == 5'000'000'011.0);
}

TEST_CASE("attention_scaling: correlated entries", "[attention_scaling]") {
    const Truths gaussian = truths_of(correlated(5, 2, 3, 0.5, 0));
    CHECK(number(gaussian, "mean") == 15);
    CHECK(number(gaussian, "product_variance") == 45);
    CHECK(number(gaussian, "variance") == 225);
    CHECK(number(gaussian, "scale") == Approx(1.0 / 15));
    CHECK(number(truths_of(correlated(5, 2, 3, 0.5, 1)), "variance") == 135);
    CHECK(number(truths_of(correlated(5, 2, 3, 0.5, 2)), "variance") == Approx(171));
    // q.q of standard Gaussians is chi-square with d degrees of freedom: mean d, variance 2 d.
    CHECK(number(truths_of(correlated(6, 1, 1, 1, 0)), "mean") == 6);
    CHECK(number(truths_of(correlated(6, 1, 1, 1, 0)), "variance") == 12);
    CHECK(number(truths_of(correlated(3, 2, 3, -1, 1)), "mean") == -18);
    CHECK(number(truths_of(correlated(3, 2, 3, -1, 1)), "variance") == 0);
    CHECK(number(truths_of(correlated(3, 2, 3, -1, 1)), "scale") == infinity);
    for (const std::int64_t law : {0, 1, 2})
        CHECK(number(truths_of(correlated(6, 2, 0.7, 0, law)), "variance") ==
              number(truths_of(independent(6, 2, 0.7)), "variance"));
}

TEST_CASE("attention_scaling: softmax", "[attention_scaling]") {
    const Truths worked = truths_of(softmax({1, 0, 2}));
    CHECK(item(worked, "p").value[0] == Approx(0.244728).epsilon(1e-5));
    CHECK(item(worked, "p").value[1] == Approx(0.0900306).epsilon(1e-5));
    CHECK(item(worked, "jacobian").value[0] == Approx(0.184836).epsilon(1e-5));
    CHECK(item(worked, "jacobian").value[1] == Approx(-0.0220330).epsilon(1e-5));
    CHECK(number(worked, "norm") == Approx(0.389390).epsilon(1e-5));
    CHECK(number(worked, "entropy") == Approx(0.832396).epsilon(1e-5));
    for (const int n : {2, 3, 7}) {
        const Truths equal = truths_of(softmax(std::vector<double>(static_cast<std::size_t>(n), -1e4)));
        CHECK(number(equal, "entropy") == Approx(std::log(n)));
        CHECK(number(equal, "norm") == Approx(std::sqrt(n - 1.0) / n));
    }
    CHECK(number(truths_of(softmax({5, 5, -1e4})), "norm") == 0.5);
    const Truths one = truths_of(softmax({1e4}));
    CHECK(item(one, "p").value[0] == 1);
    CHECK(number(one, "norm") == 0);
    CHECK(number(one, "entropy") == 0);
    const Truths far = truths_of(softmax({1e4, -1e4}));
    CHECK(item(far, "p").value == std::vector<double>{1, 0});
    CHECK(number(far, "entropy") == 0);
}

TEST_CASE("attention_scaling: saturation", "[attention_scaling]") {
    const Truths worked = truths_of(saturation(64, 5));
    CHECK(number(worked, "deviation_unscaled") == 8);
    CHECK(number(worked, "largest_unscaled") == Approx(0.996507).epsilon(1e-6));
    CHECK(number(worked, "entropy_unscaled") == Approx(0.0233310).epsilon(1e-5));
    CHECK(number(worked, "norm_unscaled") == Approx(0.00694439).epsilon(1e-5));
    CHECK(number(worked, "largest_by_root") == Approx(0.522148).epsilon(1e-5));
    CHECK(number(worked, "entropy_by_root") == Approx(1.23144).epsilon(1e-5));
    CHECK(number(worked, "norm_by_root") == Approx(0.407374).epsilon(1e-5));
    CHECK(number(worked, "largest_by_d") == Approx(0.236819).epsilon(1e-5));
    CHECK(number(worked, "entropy_by_d") == Approx(1.60166).epsilon(1e-5));
    CHECK(number(worked, "norm_by_d") == Approx(0.400764).epsilon(1e-5));
    // The walkthrough's table, and its rule 2 exp(-gap) with a gap of sqrt(d) / 2 between the best of seven keys.
    CHECK(number(truths_of(saturation(1024, 7)), "norm_unscaled") == Approx(2 * std::exp(-16.0)).epsilon(1e-6));
    CHECK(number(truths_of(saturation(256, 7)), "entropy_unscaled") == Approx(0.0030).epsilon(0.01));
    CHECK(number(truths_of(saturation(1024, 7)), "largest_by_d") == Approx(0.1496).epsilon(1e-3));
    for (const std::int64_t d : {16, 1024})
        CHECK(number(truths_of(saturation(d, 7)), "norm_by_root") == Approx(0.3949).epsilon(1e-3));
}

TEST_CASE("attention_scaling: after training", "[attention_scaling]") {
    const Truths worked = truths_of(aligned(96, 1.5, 0.8, 0.2));
    CHECK(number(worked, "mean_by_root") == Approx(2.35151).epsilon(1e-6));
    CHECK(number(worked, "mean_by_d") == Approx(0.24));
    CHECK(number(worked, "crossing") == Approx(26));
    CHECK(number(truths_of(aligned(48, 1, 1, 0)), "crossing") == infinity);
    CHECK(number(truths_of(aligned(5, 2, 0, 0.5)), "crossing") == Approx(5));
}

TEST_CASE("attention_scaling: invalid input leaves everything unset", "[attention_scaling]") {
    CHECK(is_unanswered(independent(0, 2, 3)));
    CHECK(is_unanswered(independent(-1, 2, 3)));
    for (const double sigma : {-1e-9, -infinity, infinity, no_number}) {
        CHECK(is_unanswered(independent(5, sigma, 3)));
        CHECK(is_unanswered(independent(5, 2, sigma)));
        CHECK(is_unanswered(correlated(5, sigma, 3, 0.5, 0)));
        CHECK(is_unanswered(correlated(5, 2, sigma, 0.5, 2)));
        CHECK(is_unanswered(aligned(5, sigma, 3, 0.5)));
        CHECK(is_unanswered(aligned(5, 2, sigma, 0.5)));
    }
    for (const double rho : {std::nextafter(1.0, 2.0), std::nextafter(-1.0, -2.0), infinity, -infinity, no_number}) {
        for (const std::int64_t law : {0, 1, 2}) CHECK(is_unanswered(correlated(5, 2, 3, rho, law)));
        CHECK(is_unanswered(aligned(5, 2, 3, rho)));
    }
    CHECK(is_unanswered(correlated(0, 2, 3, 0.5, 1)));
    CHECK(is_unanswered(aligned(0, 2, 3, 0.5)));
    for (const double bad : {infinity, -infinity, no_number}) CHECK(is_unanswered(softmax({0.5, bad, 1})));
    CHECK(is_unanswered(softmax({})));
    CHECK(is_unanswered(saturation(0, 7)));
    for (const std::int64_t keys : {1, 0, -2}) CHECK(is_unanswered(saturation(64, keys)));
    CHECK_FALSE(is_unanswered(independent(1, 0, 0)));
    CHECK_FALSE(is_unanswered(correlated(1, 1, 1, -1, 0)));
    CHECK_FALSE(is_unanswered(saturation(1, 2)));
}

TEST_CASE("attention_scaling: every mistake is rejected at its level and named", "[attention_scaling]") {
    const SelfTest test = verify_oracle(exercise(), 0);
    for (const std::string& fault : test.faults) FAIL_CHECK(fault);
    CHECK(test.right_oracle_passes);
    CHECK(test.mistakes.size() == 56);
}

TEST_CASE("attention_scaling: random problems are valid, answered, and of every route", "[attention_scaling]") {
    std::vector<std::string> routes;
    int unanswered = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        const Problem problem = exercise().random(seed);
        REQUIRE(exercise().valid(problem));
        for (const Truth& truth : truths_of(problem)) {
            REQUIRE(truth.value.size() == truth.bound.size());
            for (const double bound : truth.bound) REQUIRE((std::isfinite(bound) && bound >= 0));
        }
        unanswered += is_unanswered(problem) ? 1 : 0;
        if (std::find(routes.begin(), routes.end(), problem.route) == routes.end()) routes.push_back(problem.route);
    }
    CHECK(routes.size() == 5);
    CHECK(unanswered > 20);
    CHECK(unanswered < 200);
}
