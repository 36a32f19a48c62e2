// How many bugs an attempt is told to have left.
#include "core/attempt.hpp"
#include "hunt/remaining.hpp"
#include "hunt/tiny.hpp"
#include "judge/oracle_attempt.hpp"

using namespace assay;
using Ids = std::vector<std::string>;

namespace {

/// Answers by a function of x; fails where that throws a Failure.
class Answering final : public Attempt {
  public:
    explicit Answering(std::function<double(double)> y) : y_(std::move(y)) {}
    void fresh() override { log += "|"; }
    Outcome<Answer> answer(const Level& level, const Problem& problem) override {
        log += level.id.substr(0, 1) + std::to_string(problem.integer("seed"));
        try {
            return Answer{rounded(tiny::truths(y_(problem.number_or("x", 0)))), {}};
        } catch (const Failure& failure) {
            return failure;
        }
    }
    std::string printed() override { return {}; }
    std::string log;

  private:
    std::function<double(double)> y_;
};

std::optional<int> left(const Ids& planted, const std::function<double(double)>& y) {
    Answering attempt(y);
    return count_remaining(tiny::hunt(), tiny::exercise(), tiny::program(), tiny::planted(planted), attempt, 0);
}

/// The attempt has these of the planted bugs, and is off by this much.
std::optional<int> left_with(const Ids& planted, const Ids& bugs, double off = 0) {
    return left(planted, [&](double x) { return tiny::computed(bugs, x) + off; });
}

} // namespace

TEST_CASE("every subset of the planted bugs is counted") {
    const Ids planted{"doubled", "two", "left-more", "flipped", "no-number"};
    CHECK(left_with(planted, planted) == 5);
    CHECK(left_with(planted, {}) == 0);
    for (unsigned subset = 0; subset < 32; ++subset) {
        Ids bugs;
        for (std::size_t i = 0; i < 5; ++i)
            if ((subset >> i & 1u) != 0) bugs.push_back(planted[i]);
        CHECK(left_with(planted, bugs) == static_cast<int>(bugs.size()));
    }
}

TEST_CASE("an attempt written otherwise is counted where it stays within the bound") {
    CHECK(left_with({"doubled", "flipped"}, {"flipped"}, 0.9 * tiny::bound) == 1);
    CHECK_FALSE(left_with({"doubled", "flipped"}, {"flipped"}, 1.1 * tiny::bound));
}

TEST_CASE("a bug that was not planted makes the attempt like no subset") {
    CHECK_FALSE(left_with({"doubled", "two"}, {"four"}));
    CHECK_FALSE(left_with({"doubled", "two"}, {"doubled", "two", "flipped"}));
    CHECK_FALSE(left_with({"doubled", "two"}, {"no-number"})); // wrong on the last case alone
    CHECK_FALSE(left_with({"no-number"}, {"no-number", "two"}));
}

TEST_CASE("where several subsets fit, the smallest counts") {
    CHECK(left_with({"doubled", "halved"}, {"doubled", "halved"}) == 0); // they cancel
    CHECK(left_with({"doubled", "halved"}, {"halved"}) == 1);
    CHECK(left_with({"seven", "two", "flipped"}, {"seven", "two"}) == 1); // seven hides the others
    CHECK(left_with({"left-more", "right-more"}, {"right-more"}) == 1);
    CHECK(left_with({"idle", "two"}, {"idle", "two"}) == 1);
}

TEST_CASE("a NaN of the program's is matched by a NaN alone") {
    CHECK(left_with({"no-number"}, {"no-number"}) == 1);
    CHECK_FALSE(left({"no-number"}, [](double x) { return x == 0 ? 1e9 : tiny::computed({}, x); }));
    CHECK_FALSE(left({"two"}, [](double x) { return x == 0 ? std::nan("") : tiny::computed({"two"}, x); }));
}

TEST_CASE("an attempt that fails to answer is like no subset") {
    CHECK_FALSE(left({"two"}, [](double x) {
        if (x < 0) throw Failure{Verdict::RTE, "crashed"};
        return tiny::computed({"two"}, x);
    }));
}

TEST_CASE("each case is asked once, with the seed, afresh at each level, and no further than it must") {
    Answering attempt([](double x) { return tiny::computed({}, x); });
    CHECK(count_remaining(tiny::hunt(), tiny::exercise(), tiny::program(), tiny::planted({"two"}), attempt, 7) == 0);
    CHECK(attempt.log == "|f7|s7s7");
    Answering strange([](double) { return 1e6; });
    CHECK_FALSE(count_remaining(tiny::hunt(), tiny::exercise(), tiny::program(), tiny::planted({"two"}), strange, 7));
    CHECK(strange.log == "|f7");
}
