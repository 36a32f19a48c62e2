// The levels of `long_attention`: mistakes rejected where they belong and named, two together told, cases that earn
// their places, and random problems that cover the contract.
#include "../../../exercises/long_attention/growth.hpp"
#include "exercises/long_attention/long_attention.hpp"
#include "judge/verify.hpp"
#include "judge/verify_pairs.hpp"

#include <cstdlib>
#include <map>

using namespace assay;
using namespace assay::long_attention_test;

TEST_CASE("long_attention: every mistake is rejected where it belongs and named alone; every case earns its place") {
    std::vector<std::uint64_t> seeds{0, 20};
    if (std::getenv("ASSAY_LONG") != nullptr)
        for (std::uint64_t seed = 1; seed < 20; ++seed) seeds.push_back(seed);
    for (const std::uint64_t seed : seeds) {
        const SelfTest test = verify_oracle(exercise(), seed);
        for (const std::string& fault : test.faults) FAIL_CHECK("seed " << seed << ": " << fault);
        CHECK(test.right_oracle_passes);
        CHECK(test.mistakes.size() > 120);
        for (const MistakeTrial& trial : test.mistakes) {
            INFO(trial.mistake << ", form " << trial.form << ", seed " << seed);
            CHECK(trial.rejected_at == trial.belongs);
            CHECK(trial.named_right);
        }
    }
}

TEST_CASE("long_attention: two mistakes together are told as both, or as the one that shows") {
    if (std::getenv("ASSAY_LONG") == nullptr) return; // `exercise verify` plays the same pairs, which takes a minute
    const PairTest test = verify_pairs(exercise(), 0);
    for (const std::string& fault : test.faults) FAIL_CHECK(fault);
    CHECK(test.played > 1000);
    CHECK(test.both > 500); // those made in one calculator; of two functions' the first level shows its own
}

TEST_CASE("long_attention: 3000 random problems are valid and reach the corners of the contract") {
    std::map<std::string, int> seen;
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        const Problem problem = exercise().random(seed);
        if (!exercise().valid(problem)) FAIL_CHECK("random problem " << seed << " is not valid");
        ++seen[problem.route];
        if (!problem.has("q")) continue;
        const std::int64_t L = problem.array("q").extents[1];
        seen["one token"] += L == 1 ? 1 : 0;
        seen["square"] += problem.array("q").extents[2] == problem.array("v").extents[2] ? 1 : 0;
        if (problem.has("window")) seen["past length"] += problem.integer("window") > L ? 1 : 0;
        if (problem.has("globals")) seen["all global"] += problem.integer("globals") > L ? 1 : 0;
    }
    for (const char* what :
         {"cost_of", "crossover", "sliding_window", "linear_attention", "random_features", "low_rank",
          "window_with_globals", "compare", "one token", "square", "past length", "all global"}) {
        INFO(what);
        CHECK(seen[what] >= 30);
    }
}

TEST_CASE("long_attention: what is measured as sequences grow is valid, thin, and doubles") {
    using namespace long_attention_judge;
    for (std::size_t i = 1; i < growth_lengths.size(); ++i) CHECK(growth_lengths[i] == 2 * growth_lengths[i - 1]);
    CHECK(longest > growth_lengths.back());
    for (const char* route : growth_routes) {
        const Problem problem = growth_problem(route, growth_lengths.front(), 0);
        INFO(route);
        CHECK(exercise().valid(problem));
        std::int64_t floats = 0;
        for (const Field& field : problem.fields)
            if (const auto* array = std::get_if<Array>(&field.value)) floats += array->size();
        CHECK(floats == 8 * growth_lengths.front()); // as growth.hpp says: nothing beside L² floats
    }
}
