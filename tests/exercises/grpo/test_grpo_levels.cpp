// The levels of `grpo`: mistakes rejected where they belong and named, inputs clear of every edge, random problems that
// cover the contract, and what a candidate is told who writes std::exp.
#include "cli/assay.hpp"
#include "exercises/grpo/grpo.hpp"
#include "judge/shrink.hpp"
#include "judge/verify.hpp"
#include "judge/verify_pairs.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>

using namespace assay;
using namespace assay::grpo_test;

TEST_CASE("grpo: every mistake is rejected where it belongs and named, alone and with any other") {
    std::vector<std::uint64_t> seeds{0, 20};
    if (std::getenv("ASSAY_LONG") != nullptr)
        for (std::uint64_t seed = 1; seed < 20; ++seed) seeds.push_back(seed);
    for (const std::uint64_t seed : seeds) {
        const SelfTest test = verify_oracle(exercise(), seed);
        for (const std::string& fault : test.faults) FAIL_CHECK("seed " << seed << ": " << fault);
        CHECK(test.right_oracle_passes);
        CHECK(test.mistakes.size() > 75);
        const PairTest pairs = verify_pairs(exercise(), seed);
        for (const std::string& fault : pairs.faults) FAIL_CHECK("seed " << seed << ": " << fault);
        CHECK(pairs.both > 400);
    }
}

TEST_CASE("grpo: six levels, all of which must pass; a route a level") {
    std::vector<std::string> ids;
    for (const Level& level : exercise().levels) {
        CHECK(level.must);
        ids.push_back(level.id);
        for (const Case& one : level.cases)
            for (std::uint64_t seed = 0; seed < 20; ++seed) {
                INFO(one.id << ", seed " << seed);
                const Problem problem = one.make(seed);
                CHECK(exercise().valid(problem)); // 1e-3 off every edge among other things
                CHECK(exercise().level_of(problem) == level.id);
                CHECK(one.why.size() < 120);
            }
    }
    CHECK(ids == std::vector<std::string>{"advantages", "ratio", "masks", "kl", "degenerate", "gradient"});
}

TEST_CASE("grpo: a token within 1e-3 of an edge is no valid question, nor are rewards nearly equal") {
    Batch b = batch_of(problem_of("grad-one-token"));
    const auto valid_at = [&](double log_ratio) {
        b.lp_old = {-8};
        b.lp_new = {-8 + log_ratio};
        return exercise().valid(b.problem());
    };
    b.limit = 4;
    for (const double edge : {std::log(0.8), std::log(1.2), 4.0, -4.0}) {
        CHECK_FALSE(valid_at(edge));
        CHECK_FALSE(valid_at(edge + 5e-4));
        CHECK(valid_at(edge + 5e-3));
        CHECK(valid_at(edge - 5e-3));
    }
    b.mask = {0}; // a masked one may lie anywhere
    CHECK(valid_at(std::log(0.8)));
    CHECK_FALSE(exercise().valid(advantages_problem({1, 1.0005}, 2, 0, 0, true)));
    CHECK(exercise().valid(advantages_problem({1, 1.005}, 2, 0, 0, true)));
    CHECK(exercise().valid(advantages_problem({1, 1}, 2, 0, 0, true)));
    CHECK_FALSE(exercise().valid(advantages_problem({1, 2, 3}, 2, 0, 0, true))); // N is no multiple of G
}

TEST_CASE("grpo: a smallest failing case keeps to its level") {
    for (const char* id : {"five-ratios", "reference-given", "lengths-constant", "kl-masked", "equal-tenths"}) {
        INFO(id);
        const Problem problem = problem_of(id);
        const Shrunk shrunk = shrink({}, problem, exercise().valid, [](const Problem&) { return true; });
        CHECK(shrunk.problem.route == problem.route);
        CHECK(exercise().valid(shrunk.problem));
        CHECK(shrunk.calls > 0);
        const bool kl = problem.route == "kl";
        if (!is_advantages(problem)) CHECK((kl || shrunk.problem.number_or("beta", 1) == 0));
    }
}

TEST_CASE("grpo: 3000 random problems are valid and reach the corners of the contract") {
    std::map<std::string, int> seen;
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        const Problem problem = exercise().random(seed);
        if (!exercise().valid(problem)) FAIL_CHECK("random problem " << seed << " is not valid");
        ++seen[problem.route];
        if (is_advantages(problem)) {
            seen["singleton"] += problem.integer("group_size") == 1 ? 1 : 0;
            seen["no eps"] += problem.number_or("eps", 1) == 0 ? 1 : 0;
            seen["unscaled"] += problem.flag("scale") ? 0 : 1;
            continue;
        }
        const Batch b = batch_of(problem);
        ++seen["how " + std::to_string(b.how)];
        seen["on-policy"] += b.lp_old.empty() ? 1 : 0;
        seen["kl"] += !b.lp_ref.empty() && b.beta != 0 ? 1 : 0;
        seen["reference without beta"] += !b.lp_ref.empty() && b.beta == 0 ? 1 : 0;
        seen["masked"] += std::count(b.mask.begin(), b.mask.end(), 0.0) > 0 ? 1 : 0;
        seen["NaN"] += std::any_of(b.lp_new.begin(), b.lp_new.end(), [](double x) { return std::isnan(x); }) ? 1 : 0;
        bool far = false;
        for (std::size_t i = 0; i < b.mask.size() && !b.lp_old.empty(); ++i)
            far = far || (b.mask[i] != 0 && std::fabs(b.lp_new[i] - b.lp_old[i]) > b.limit);
        seen["beyond the limit"] += far ? 1 : 0;
        for (std::size_t n = 0; n < b.advantage.size(); ++n) {
            const auto row = b.mask.begin() + static_cast<std::ptrdiff_t>(n) * b.T;
            if (std::count(row, row + b.T, 1.0) == 0) {
                ++seen["empty sequence"];
                break;
            }
        }
    }
    for (const char* what : {"advantages",
                             "groups",
                             "ratio",
                             "masks",
                             "kl",
                             "loss",
                             "gradient",
                             "singleton",
                             "no eps",
                             "unscaled",
                             "how 0",
                             "how 1",
                             "how 2",
                             "on-policy",
                             "kl",
                             "reference without beta",
                             "masked",
                             "NaN",
                             "beyond the limit",
                             "empty sequence"}) {
        INFO(what);
        CHECK(seen[what] >= 25);
    }
}

TEST_CASE("grpo: std::exp of a Var is refused in one sentence that says what to write") {
    const tests::Place place;
    place.write("grpo.cpp", tests::checkout_file("solutions/grpo/rejected/CE/std-exp.cpp"));
    const tests::Ran ran = place.run("check --exercise grpo --color never grpo.cpp");
    CHECK(ran.exit == 1);
    CHECK(tests::contains(ran.out, "a Var is no double: write exp(x) in place of std::exp(x)"));
    CHECK(tests::contains(ran.out, "grpo.cpp:14:39: error:"));
    CHECK_FALSE(tests::contains(ran.out, "candidate:")); // not twenty of them
}
