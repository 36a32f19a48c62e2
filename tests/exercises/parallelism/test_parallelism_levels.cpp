// `parallelism` as an exercise: sound by itself, and random problems over all of its routes.
#include "exercises/parallelism/questions.hpp"
#include "judge/compare.hpp"
#include "judge/verify.hpp"
#include "judge/verify_pairs.hpp"

#include <algorithm>
#include <map>

using namespace assay;
using namespace assay::parallelism_test;

TEST_CASE("parallelism: every mistake is rejected at its level and named, alone and with every other") {
    for (const std::uint64_t seed : {0, 7}) {
        const SelfTest alone = verify_oracle(parallelism(), seed);
        CHECK(alone.faults == std::vector<std::string>{});
        CHECK(
            std::all_of(alone.mistakes.begin(), alone.mistakes.end(), [](const auto& one) { return one.named_right; }));
    }
    const PairTest together = verify_pairs(parallelism(), 0);
    CHECK(together.faults == std::vector<std::string>{});
    CHECK(together.both > 0);
}

TEST_CASE("the mistakes that the subject is known for are there") {
    for (const char* id : {"reduce-before-activation", "rows-and-columns-swapped", "bias-on-every-rank",
                           "gather-for-reduce", "interleaved", "useful-for-total", "1f1b-peak-as-gpipe",
                           "gpipe-for-1f1b", "all-reduce-once", "remainder-dropped"}) {
        INFO(id);
        CHECK(std::any_of(parallelism().mistakes.begin(), parallelism().mistakes.end(),
                          [&](const Mistake& one) { return one.id == id; }));
    }
}

TEST_CASE("parallelism: random problems are valid, reach every level, and have a right answer") {
    std::map<std::string, int> levels;
    int edges = 0;
    for (std::uint64_t seed = 0; seed < 600; ++seed) {
        const Problem problem = parallelism().random(seed);
        CHECK(parallelism().valid(problem));
        ++levels[parallelism().level_of(problem)];
        const Truths truths = truths_of(problem);
        edges += std::isnan(truths.front().value.front()) ? 1 : 0;
    }
    CHECK(levels.size() == parallelism().levels.size());
    for (const Level& one : parallelism().levels) CHECK(levels[one.id] > 50);
    CHECK(edges > 10); // invalid input is asked too
}

TEST_CASE("a problem whose ranks disagree about what they share is none") {
    Problem problem = problem_of("bias");
    CHECK(parallelism().valid(problem));
    auto& b2 = std::get<Array>(problem.find("b2")->value);
    b2 = b2.contiguous();
    CHECK(parallelism().valid(problem));
    b2.set(Index{1, 0}, 9);
    CHECK_FALSE(parallelism().valid(problem));
    problem = problem_of("bias");
    problem.find("ranks")->value = std::int64_t{2};
    CHECK_FALSE(parallelism().valid(problem));
}
