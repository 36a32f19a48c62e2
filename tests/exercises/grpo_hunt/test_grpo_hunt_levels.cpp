// The levels of `grpo_hunt`: mistakes rejected where they belong and named alone, valid cases from every seed, and the
// edges of the domain.
#include "exercises/grpo_hunt/grpo_hunt.hpp"
#include "judge/verify.hpp"

#include <cmath>
#include <cstdlib>
#include <map>

using namespace assay;
using namespace assay::grpo_hunt_test;

namespace {

Problem case_of(const std::string& id) {
    for (const Level& level : exercise().levels)
        for (const Case& one : level.cases)
            if (one.id == id) return one.make(0);
    FAIL("no case " << id);
    return {};
}

template <class T> Problem with(Problem problem, const char* name, T value) {
    problem.find(name)->value = value;
    return problem;
}

Problem with_element(Problem problem, const char* name, const Index& at, double value) {
    std::get<Array>(problem.find(name)->value).set(at, value);
    return problem;
}

} // namespace

TEST_CASE("grpo_hunt: every mistake is rejected where it belongs and named alone; every case earns its place") {
    const std::uint64_t last = std::getenv("ASSAY_LONG") != nullptr ? 60 : 6;
    for (std::uint64_t seed = 0; seed <= last; ++seed) {
        const SelfTest test = verify_oracle(exercise(), seed);
        for (const std::string& fault : test.faults) FAIL_CHECK("seed " << seed << ": " << fault);
        CHECK(test.right_oracle_passes);
        CHECK(test.mistakes.size() == 47);
    }
}

TEST_CASE("grpo_hunt: random problems are valid, of every route, with every option") {
    std::map<std::string, int> routes, seen;
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        const Problem problem = exercise().random(seed);
        INFO("seed " << seed);
        CHECK(exercise().valid(problem));
        ++routes[problem.route];
        seen["on-policy"] += problem.has("lp_old") ? 0 : 1;
        seen["kl"] += problem.has("lp_ref") && problem.number_or("beta", 0) > 0 ? 1 : 0;
        seen["flat"] += problem.array("rewards").values().front() == problem.array("rewards").values().back() ? 1 : 0;
        seen["unscaled"] += problem.flag("scale") ? 0 : 1;
        seen["how " + std::to_string(problem.integer("how"))] += 1;
        seen["ddof"] += problem.integer("ddof") == 1 ? 1 : 0;
    }
    CHECK(routes.size() == 6);
    for (const auto& [route, count] : routes) CHECK(count > 100);
    CHECK(seen.size() == 8);
    for (const auto& [option, count] : seen) {
        INFO(option);
        CHECK(count > 50);
    }
}

TEST_CASE("grpo_hunt: the domain ends where the statement says") {
    const Problem fine = case_of("kl");
    REQUIRE(exercise().valid(fine));
    using I = std::int64_t;
    for (const auto& [name, low, high] :
         std::vector<std::tuple<const char*, double, double>>{{"eps", 0, 1},
                                                              {"temperature", 0.05, 20},
                                                              {"clip_low", 0.05, 0.9},
                                                              {"clip_high", 0.05, 2},
                                                              {"log_ratio_limit", 0.5, 20},
                                                              {"beta", 0, 10}}) {
        INFO(name);
        CHECK_FALSE(exercise().valid(with(fine, name, std::nextafter(low, -1.0))));
        CHECK_FALSE(exercise().valid(with(fine, name, std::nextafter(high, 100.0))));
        CHECK_FALSE(exercise().valid(with(fine, name, std::nan(""))));
    }
    CHECK(exercise().valid(with(fine, "eps", 0.0)));
    CHECK(exercise().valid(with(fine, "beta", 10.0)));
    for (const I ddof : {I{-1}, I{2}}) CHECK_FALSE(exercise().valid(with(fine, "ddof", ddof)));
    for (const I how : {I{-1}, I{3}}) CHECK_FALSE(exercise().valid(with(fine, "how", how)));
    for (const I size : {I{0}, I{-1}, I{4}, I{7}}) CHECK_FALSE(exercise().valid(with(fine, "group_size", size)));
    for (const I size : {I{1}, I{2}, I{3}, I{6}}) CHECK(exercise().valid(with(fine, "group_size", size)));
    CHECK_FALSE(exercise().valid(with(fine, "longest", I{0})));
    CHECK_FALSE(exercise().valid(with(fine, "rewards", std::monostate{})));
    CHECK_FALSE(exercise().valid(with_element(fine, "mask", {0, 0}, 1)));
    CHECK_FALSE(exercise().valid(with_element(fine, "tokens", {1, 6}, 5)));
    CHECK_FALSE(exercise().valid(with_element(fine, "logits", {0, 0, 0}, INFINITY)));
    CHECK_FALSE(exercise().valid(with_element(fine, "rewards", {2}, std::nan(""))));
    // lp_old at a token that counts, and at one that does not
    CHECK_FALSE(exercise().valid(with_element(fine, "lp_old", {0, 2}, std::nan(""))));
    CHECK(exercise().valid(with_element(fine, "lp_old", {0, 1}, std::nan(""))));
    // a ratio at the clip's edge
    const double lp = run_right(read_inputs(fine)).log_probs[2].value;
    for (const double edge : {0.8, 1.2}) {
        CHECK_FALSE(exercise().valid(with_element(fine, "lp_old", {0, 2}, lp - std::log(edge + 0.9e-3))));
        CHECK(exercise().valid(with_element(fine, "lp_old", {0, 2}, lp - std::log(edge + 1.1e-3))));
    }
    // a difference at its limit
    CHECK_FALSE(exercise().valid(with_element(fine, "lp_ref", {0, 2}, lp + 10 + 0.9e-3)));
    CHECK(exercise().valid(with_element(fine, "lp_ref", {0, 2}, lp + 10 + 1.1e-3)));
    // rewards that are nearly equal
    CHECK_FALSE(exercise().valid(
        with(fine, "rewards", Array::of(Dtype::f64, {6}, std::vector<double>{1, 1, 1.0005, 0, 1, 2}))));
    CHECK(exercise().valid(with(fine, "rewards", Array::of(Dtype::f64, {6}, std::vector<double>{1, 1, 1, 0, 1, 2}))));
}
