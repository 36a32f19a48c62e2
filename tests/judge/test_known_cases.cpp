// Cases and right answers that many checks share change the cost of a check and nothing of its record.
#include "run_toy.hpp"

#include "judge/known_cases.hpp"
#include "judge/verify.hpp"
#include "report/json.hpp"

#include <atomic>
#include <stdexcept>
#include <thread>

using namespace assay;
using namespace run_toy;

namespace {

/// The toy, with a count of the right answers that its oracle is asked for.
struct Counted {
    std::atomic<int> right{0};
    Exercise toy = toy::exercise();

    Counted() {
        toy.oracle = [this, oracle = toy.oracle](const Problem& problem, std::string_view mistake, int form) {
            if (mistake.empty()) ++right;
            return oracle(problem, mistake, form);
        };
    }
};

std::string record_of(const Exercise& toy, const std::string& mistake, const CheckOptions& options) {
    OracleAttempt attempt(toy, mistake, 0);
    return to_json(run(attempt, options, {}, toy));
}

} // namespace

TEST_CASE("known cases give the same record, byte for byte", "[judge]") {
    const Exercise toy = toy::exercise();
    for (const std::uint64_t seed : {0u, 5u}) {
        const KnownCases known(toy, seed);
        CheckOptions alone, shared;
        alone.seed = shared.seed = seed;
        shared.known = &known;
        CHECK(record_of(toy, "", shared) == record_of(toy, "", alone));
        for (const Mistake& mistake : toy.mistakes) {
            CAPTURE(mistake.id, seed);
            const std::string record = record_of(toy, mistake.id, alone);
            CHECK(record.find(mistake.id) != std::string::npos);
            CHECK(record_of(toy, mistake.id, shared) == record);
            CHECK(record_of(toy, mistake.id, shared) == record); // with every case made before
        }
    }
}

TEST_CASE("each right answer is asked for once, whoever asks", "[judge]") {
    const Counted counted;
    const Exercise plain = toy::exercise(); // answers right without the count
    const KnownCases known(counted.toy, 0);
    CheckOptions options;
    options.known = &known;
    std::vector<std::thread> threads;
    std::atomic<int> accepted{0};
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] {
            const Exercise copy = counted.toy; // as where points were put in
            toy::Scripted attempt(plain);
            Record record;
            const bool done = check(copy, attempt, options, {}, record).ok();
            accepted += done && record.verdict == Verdict::AC ? 1 : 0;
        });
    for (std::thread& thread : threads) thread.join();
    CHECK(accepted == 4);
    CHECK(counted.right == 7);
    CHECK(verify_oracle(counted.toy, known).faults.empty());
}

TEST_CASE("cases of another seed are not used", "[judge]") {
    const Counted counted;
    const KnownCases known(counted.toy, 1);
    CheckOptions options, alone;
    options.known = &known;
    CHECK(record_of(counted.toy, "over-rows", options) == record_of(counted.toy, "over-rows", alone));
    options.seed = alone.seed = 1;
    CHECK(record_of(counted.toy, "over-rows", options) == record_of(counted.toy, "over-rows", alone));
}

TEST_CASE("a case that cannot be made, or has no right answer, is the judge's error each time", "[judge]") {
    Exercise toy = toy::exercise();
    std::string reason;
    SECTION("made") {
        toy.levels[0].cases[0].make = [](std::uint64_t) -> Problem { throw std::runtime_error("no shape"); };
        reason = "making case small threw: no shape";
    }
    SECTION("answered") {
        toy.oracle = [](const Problem&, std::string_view, int) -> std::optional<Truths> {
            throw std::runtime_error("no truth");
        };
        reason = "the oracle of toy threw: no truth";
    }
    const KnownCases known(toy, 0);
    CheckOptions options;
    options.known = &known;
    for (int times = 0; times < 2; ++times) {
        toy::Scripted attempt(toy);
        const Record record = run(attempt, options, {}, toy);
        CHECK(record.verdict == Verdict::JE);
        CHECK(record.levels[0].cases[0].reason == reason);
    }
    CHECK_FALSE(known.at(0, 0).ok());
}

TEST_CASE("the exercise's own test says the same of known cases", "[judge]") {
    const Exercise toy = toy::exercise();
    const KnownCases known(toy, 0);
    const SelfTest alone = verify_oracle(toy, 0), shared = verify_oracle(toy, known);
    CHECK(shared.faults == alone.faults);
    CHECK(shared.right_oracle_passes);
    REQUIRE(shared.mistakes.size() == alone.mistakes.size());
    for (std::size_t i = 0; i < alone.mistakes.size(); ++i) {
        CHECK(shared.mistakes[i].rejected_at == alone.mistakes[i].rejected_at);
        CHECK(shared.mistakes[i].killed_by == alone.mistakes[i].killed_by);
    }
}

TEST_CASE("without the smallest case a check asks less, and says the same else", "[judge]") {
    const auto asked = [](bool smallest, int& count) {
        const Exercise exercise = toy::exercise();
        toy::Scripted attempt(exercise, [](const Problem&, Answer answer) {
            y_of(answer).set(Index{0, 0}, 7);
            return Outcome<Answer>(std::move(answer));
        });
        CheckOptions options;
        options.smallest = smallest;
        Record record = run(attempt, options);
        count = attempt.asked;
        return record;
    };
    int many = 0, few = 0;
    Record with = asked(true, many);
    const Record without = asked(false, few);
    CHECK(with.smallest);
    CHECK_FALSE(without.smallest);
    CHECK(few < many);
    with.smallest.reset();
    CHECK(to_json(with) == to_json(without));
}
