// The levels of `roofline` as an exercise: every mistake named, alone and in pairs; what cases and random problems
// reach.
#include "exercises/roofline/reader.hpp"
#include "judge/verify.hpp"
#include "judge/verify_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using namespace assay;
using namespace assay::roofline_test;

TEST_CASE("every mistake is rejected where it belongs and named; every case earns its place") {
    for (const std::uint64_t seed : {0, 7, 20}) {
        const SelfTest test = verify_oracle(exercise(), seed);
        for (const std::string& fault : test.faults) FAIL_CHECK("seed " << seed << ": " << fault);
        CHECK(test.right_oracle_passes);
        CHECK(test.mistakes.size() >= 67);
        for (const MistakeTrial& trial : test.mistakes) {
            INFO(trial.mistake << ", form " << trial.form << ", seed " << seed);
            CHECK(trial.rejected_at == trial.belongs);
            CHECK(trial.named_right);
        }
        for (const CaseWorth& worth : test.cases) {
            INFO("case " << worth.id);
            CHECK(worth.earns_place);
        }
    }
}

TEST_CASE("two mistakes made together are told as both, or as the one that shows first") {
    const PairTest test = verify_pairs(exercise(), 0);
    for (const std::string& fault : test.faults) FAIL_CHECK(fault);
    CHECK(test.played > 2000);
    CHECK(test.both > 500);
    // one tensor in each of two all-reduces is the tensor sent twice
    CHECK(test.alike ==
          std::vector<std::string>{"all-reduce-once and two-all-reduces together are told all-reduce-twice"});
}

TEST_CASE("the thirteen mistakes that the exercise must know are there") {
    std::set<std::string> known;
    for (const Mistake& mistake : exercise().mistakes) known.insert(mistake.id);
    for (const char* id : {"mac-as-one", "matmul-forgotten", "matmul-forgotten-in-flops", "bits-for-bytes",
                           "sparse-peak", "weights-not-divided", "all-reduce-divided-by-n", "all-reduce-once",
                           "all-reduce-one-pass", "activations-forgotten", "fp32-bytes", "tb-as-tib", "sum-for-max",
                           "another-chips-peak", "bidirectional-link"}) {
        INFO(id);
        CHECK(known.count(id) == 1);
    }
}

TEST_CASE("a mistake of level 1 shows in later levels too, where it can be made") {
    std::map<std::string, std::set<std::string>> shows; // mistake -> levels that reject it
    for (const Level& level : exercise().levels)
        for (const Case& one : level.cases) {
            const Problem problem = one.make(0);
            const Truths truths = truths_of(problem);
            for (const Mistake& mistake : exercise().mistakes)
                for (int form = 0; form < mistake.forms(); ++form) {
                    const auto wrong = exercise().oracle(problem, mistake.id, form);
                    REQUIRE(wrong.has_value());
                    for (std::size_t i = 0; i < truths.size(); ++i) {
                        const double difference = std::fabs((*wrong)[i].value.front() - truths[i].value.front());
                        if (difference > 2 * truths[i].bound.front()) shows[mistake.id].insert(level.id);
                    }
                }
        }
    const std::set<std::string> must{"counts", "crossover", "refined", "inverse"};
    std::set<std::string> all = must;
    all.insert("in-switch");
    for (const char* id : {"mac-as-one", "matmul-forgotten", "sparse-peak", "weights-not-divided", "another-chips-peak",
                           "activations-forgotten", "hidden-forgotten"}) {
        INFO(id);
        CHECK(shows[id] == must);
    }
    CHECK(shows["fp32-bytes"] == all);
    CHECK(shows["integer-overflow"] == must);
    for (const char* id : {"bidirectional-link", "bits-for-bytes", "all-reduce-once", "all-reduce-one-pass",
                           "all-reduce-divided-by-n"}) {
        INFO(id);
        CHECK(shows[id] == std::set<std::string>{"counts", "refined", "inverse", "in-switch"});
    }
}

TEST_CASE("cases have short ids of their own, say why they are there, and are valid for any seed") {
    std::set<std::string> ids;
    for (const Level& level : exercise().levels)
        for (const Case& one : level.cases) {
            INFO(one.id);
            CHECK(ids.insert(one.id).second);
            CHECK_FALSE(one.why.empty());
            CHECK(one.why.size() < 130);
            for (std::uint64_t seed = 0; seed < 40; ++seed) CHECK(exercise().valid(one.make(seed)));
        }
}

TEST_CASE("2000 random problems are valid and reach the corners of the contract") {
    std::map<std::string, int> seen;
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        const Problem problem = exercise().random(seed);
        if (!exercise().valid(problem)) FAIL_CHECK("random problem " << seed << " is not valid");
        ++seen[problem.route];
        ++seen[exercise().level_of(problem)];
        const Truths truths = truths_of(problem);
        if (std::isnan(truths.front().value.front())) {
            ++seen["invalid"];
            continue;
        }
        seen["no tokens"] += problem.integer("tokens") == 0 ? 1 : 0;
        seen["one gpu"] += problem.integer("gpus") == 1 ? 1 : 0;
        for (const Truth& truth : truths) {
            const double value = truth.value.front();
            if (truth.name == "binds") ++seen["binds " + std::to_string(static_cast<int>(value))];
            if (truth.name == "best") ++seen[problem.route + " best " + std::to_string(static_cast<int>(value))];
            if (truth.name == "size") ++seen[value == 0 ? "no group" : "group"];
            if (std::isinf(value)) ++seen["never in " + problem.route];
            if (truth.name == "flops" && value > 9.3e18) ++seen["beyond 64 bits"];
        }
        if (problem.has("gpus_per_node"))
            ++seen[problem.integer("gpus") > problem.integer("gpus_per_node") ? "network" : "one node"];
    }
    for (const char* what : {"count",
                             "cross",
                             "refine",
                             "largest_group",
                             "least_batch",
                             "what_to_double",
                             "reduce",
                             "counts",
                             "crossover",
                             "refined",
                             "inverse",
                             "in-switch",
                             "invalid",
                             "no tokens",
                             "one gpu",
                             "binds 0",
                             "binds 1",
                             "binds 2",
                             "no group",
                             "group",
                             "never in cross",
                             "never in least_batch",
                             "network",
                             "one node",
                             "beyond 64 bits",
                             "reduce best 0",
                             "reduce best 1",
                             "reduce best -1",
                             "what_to_double best 0",
                             "what_to_double best 1",
                             "what_to_double best 2",
                             "what_to_double best 3"}) {
        INFO(what);
        CHECK(seen[what] >= 5);
    }
}
