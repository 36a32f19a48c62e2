// The worked numbers of the statement, the states and their order, the edges of the domain, and the exercise's own
// soundness.
#include "judge/verify.hpp"
#include "p_yes.hpp"

#include <algorithm>
#include <cmath>

using namespace assay;
using namespace assay::p_yes_test;

namespace {

Numbers logs(Numbers p) {
    for (double& x : p) x = std::log(x);
    return p;
}

double state_of(const Numbers& row, const Numbers& yes, const Numbers& no) {
    const Truths truths = truths_of(checked(row, yes, no));
    const double state = number(truths, "state");
    for (const char* name : {"log_yes", "log_no", "p", "mass"}) CHECK(std::isnan(number(truths, name)) == (state != 0));
    return state;
}

bool is_unanswered(const Problem& problem) {
    for (const Truth& truth : truths_of(problem))
        for (const double value : truth.value)
            if (!std::isnan(value) && !(truth.dtype == Dtype::i64 && value == -1)) return false;
    return true;
}

} // namespace

TEST_CASE("p_yes: the formula", "[p_yes]") {
    const Problem worked = score(logs({0.2, 0.15, 0.3, 0.1, 0.25}), {0, 3}, {2});
    CHECK(number(truths_of(worked), "p") == Approx(0.5).epsilon(1e-7));
    CHECK(number(truths_of(worked), "mass") == Approx(0.6).epsilon(1e-7));
    CHECK(number(truths_of(worked), "log_yes") == Approx(std::log(0.3)).epsilon(1e-7));
    CHECK(number(truths_of(worked, "mean-of-probabilities"), "p") == Approx(1.0 / 3).epsilon(1e-6));
    CHECK(number(truths_of(worked, "first-id-only"), "p") == Approx(0.4).epsilon(1e-6));
    const Truths far = truths_of(score({0, -200, -201}, {1}, {2}));
    CHECK(number(far, "p") == Approx(0.7310586).epsilon(1e-6));
    CHECK(number(far, "mass") == Approx(std::exp(-200.0) + std::exp(-201.0)));
    CHECK(number(far, "log_yes") == Approx(-200));
    const Truths banned = truths_of(score({-infinity, 1, 2}, {0}, {1}));
    CHECK(number(banned, "log_yes") == -infinity);
    CHECK(number(banned, "p") == 0);
    CHECK(item(banned, "log_yes").bound.front() == 0);
}

TEST_CASE("p_yes: states, and which comes first", "[p_yes]") {
    const Numbers row{0.5, 2, -1, 0.25};
    CHECK(state_of(row, {1}, {0, 2}) == 0);
    CHECK(state_of(row, {}, {0}) == 1);
    CHECK(state_of(row, {0}, {}) == 1);
    CHECK(state_of(row, {}, {9}) == 1);
    CHECK(state_of(row, {-1}, {0}) == 2);
    CHECK(state_of(row, {1}, {4}) == 2);
    CHECK(state_of(row, {3}, {0}) == 0);
    CHECK(state_of(row, {4, 1}, {4}) == 2);
    CHECK(state_of(row, {1, 2}, {2}) == 3);
    CHECK(state_of({0.5, 2, no_number}, {1, 0}, {0}) == 3);
    CHECK(state_of({0.5, 2, no_number}, {1}, {0}) == 4);
    CHECK(state_of({0.5, infinity, 1}, {1}, {0}) == 4);
    CHECK(state_of({-infinity, -infinity, infinity}, {1}, {0}) == 4);
    CHECK(state_of({-infinity, -infinity, 1}, {1}, {0}) == 5);
    CHECK(state_of({-infinity, -infinity}, {1}, {0}) == 5);
    CHECK(state_of({-infinity, 1, 1}, {1}, {0}) == 0);
    CHECK(state_of({}, {0}, {1}) == 2);
    // a mass of e^-2000 is not 0, and its quotient is known
    CHECK(number(truths_of(checked({0, -2000, -2001}, {1}, {2})), "p") == Approx(1 / (1 + std::exp(-1.0))));
    const Truths once = truths_of(checked(row, {1}, {0})), twice = truths_of(checked(row, {1, 1}, {0}));
    CHECK(number(once, "p") == number(twice, "p"));
}

TEST_CASE("p_yes: fits, as the statement works them", "[p_yes]") {
    const Truths worked =
        truths_of(calibrate({{3, true}, {2, false}, {-1, false, 2}, {-2, false}, {1, true}, {0.5, true}}));
    CHECK(number(worked, "raw_loss") == Approx(0.530901).epsilon(1e-6));
    CHECK(number(worked, "temperature") == Approx(1.21784).epsilon(1e-5));
    CHECK(number(worked, "temperature_loss") == Approx(0.525772).epsilon(1e-6));
    CHECK(number(worked, "slope") == Approx(0.943928).epsilon(1e-6));
    CHECK(number(worked, "intercept") == Approx(-0.752667).epsilon(1e-6));
    CHECK(number(worked, "platt_loss") == Approx(0.483227).epsilon(1e-6));
    const auto states = [](const Examples& examples) {
        const Truths truths = truths_of(calibrate(examples));
        return std::pair(number(truths, "temperature_state"), number(truths, "platt_state"));
    };
    using Pair = std::pair<double, double>;
    CHECK(states({{2, true}, {-1, false}}) == Pair(3, 3));
    CHECK(states({{2, true}, {1, false}}) == Pair(0, 3));
    CHECK(states({{2, true}, {2, false}, {-1, false}}) == Pair(0, 3)); // touching
    CHECK(states({{-2, true}, {1, false}}) == Pair(4, 3));
    CHECK(states({{1, true}, {1, false}}) == Pair(4, 1));
    CHECK(states({{0, true}, {0, false}}) == Pair(1, 1));
    CHECK(states({{0, true}, {0, true}}) == Pair(1, 2));
    CHECK(states({{1, true}, {-2, true, 0.25}}) == Pair(0, 2));
    CHECK(states({{1, true}, {-2, true}}) == Pair(4, 2));
    CHECK(states({{1, true}, {-2, false, 0}}) == Pair(3, 2));
    CHECK(number(truths_of(calibrate({{2, true}, {-1, false}})), "temperature") == 0);
    CHECK(number(truths_of(calibrate({{-2, true}, {1, false}})), "temperature") == infinity);
    CHECK(number(truths_of(calibrate({{0, true}, {3, true, 2}})), "temperature_loss") == Approx(std::log(2.0) / 3));
    CHECK(number(truths_of(calibrate({{1, true, 3}, {1, false}})), "intercept") == Approx(std::log(3.0)));
    CHECK(number(truths_of(calibrate({{40, false}, {1, true}, {-1, true}})), "raw_loss") ==
          Approx((40 + std::log1p(std::exp(-1.0)) + std::log1p(std::exp(1.0))) / 3));
}

TEST_CASE("p_yes: bins and decisions, as the statement works them", "[p_yes]") {
    const Examples four{{0.9, true}, {0.8, false}, {0.3, false, 2}, {1, true}};
    const Truths worked = truths_of(assess(four, 4, 1, 3));
    CHECK(item(worked, "bin_weight").value == Numbers{0, 0.4, 0, 0.6});
    CHECK(item(worked, "bin_p").value[3] == Approx(0.9));
    CHECK(item(worked, "bin_yes").value[3] == Approx(2.0 / 3));
    CHECK(number(worked, "ece") == Approx(0.26));
    CHECK(number(worked, "threshold") == 0.25);
    CHECK(number(worked, "yes_share") == 1);
    CHECK(number(worked, "cost") == Approx(0.6));
    const Truths edges = truths_of(assess({{0, false}, {0.5, true}, {1, true, 2}}, 2, 1, 1));
    CHECK(item(edges, "bin_weight").value == Numbers{0.5, 0.5});
    CHECK(number(edges, "yes_share") == 0.75); // p = 1/2 at a threshold of 1/2 is a yes
    CHECK(number(edges, "ece") == Approx(0.125));
}

TEST_CASE("p_yes: invalid input leaves everything unset", "[p_yes]") {
    CHECK(is_unanswered(calibrate({})));
    for (const double bad : {infinity, -infinity, no_number}) {
        CHECK(is_unanswered(calibrate({{1, true}, {bad, false}})));
        CHECK(is_unanswered(calibrate({{1, true}, {1, false, bad}})));
        CHECK(is_unanswered(assess({{0.5, true}, {bad, false}}, 3, 1, 1)));
        CHECK(is_unanswered(assess({{0.5, true}, {0.25, false, bad}}, 3, 1, 1)));
        CHECK(is_unanswered(assess({{0.5, true}}, 3, bad, 1)));
        CHECK(is_unanswered(assess({{0.5, true}}, 3, 1, bad)));
    }
    CHECK(is_unanswered(calibrate({{1, true, 0}})));
    CHECK(is_unanswered(calibrate({{1, true}, {1, false, -1e-9}})));
    CHECK(is_unanswered(assess({}, 3, 1, 1)));
    CHECK(is_unanswered(assess({{std::nextafter(1.0, 2.0), true}}, 3, 1, 1)));
    CHECK(is_unanswered(assess({{-1e-300, true}}, 3, 1, 1)));
    for (const std::int64_t bins : {0, -2}) CHECK(is_unanswered(assess({{0.5, true}}, bins, 1, 1)));
    for (const double cost : {0.0, -1.0}) CHECK(is_unanswered(assess({{0.5, true}}, 3, cost, 1)));
    CHECK_FALSE(is_unanswered(assess({{0, true}, {1, false, 0}}, 1, 1e-3, 1)));
}

TEST_CASE("p_yes: every mistake is rejected at its level and named", "[p_yes]") {
    const SelfTest test = verify_oracle(exercise(), 0);
    for (const std::string& fault : test.faults) FAIL_CHECK(fault);
    CHECK(test.right_oracle_passes);
    CHECK(test.mistakes.size() == 113);
}

TEST_CASE("p_yes: random problems are answered, and of every route", "[p_yes]") {
    std::vector<std::string> routes;
    int valid = 0;
    for (std::uint64_t seed = 0; seed < 600; ++seed) {
        const Problem problem = exercise().random(seed);
        if (!exercise().valid(problem)) continue;
        ++valid;
        for (const Truth& truth : truths_of(problem)) {
            REQUIRE(truth.value.size() == truth.bound.size());
            for (const double bound : truth.bound) REQUIRE((std::isfinite(bound) && bound >= 0));
        }
        if (std::find(routes.begin(), routes.end(), problem.route) == routes.end()) routes.push_back(problem.route);
    }
    CHECK(routes.size() == 6);
    CHECK(valid > 500);
}
