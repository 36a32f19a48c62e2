// Races by a made-up clock: who is asked when, what is refused and why.
#include "catch.hpp"
#include "timing/race.hpp"

#include <functional>
#include <string>
#include <vector>

using namespace assay;
using namespace assay::timing;

namespace {

struct World {
    double now = 0;
    std::string order; // a letter a timed call
};

/// Takes as long as `seconds` says of the round, on the world's clock and by its own count.
class Made final : public Contestant {
  public:
    Made(World& world, char letter, std::function<double(int)> seconds)
        : world_(world), letter_(letter), seconds_(std::move(seconds)) {}

    Outcome<Answer> ask(const Problem& problem) override {
        const auto round = static_cast<int>(problem.integer("round"));
        if (round >= 0) world_.order += letter_;
        if (round == fails_in) return Failure{Verdict::RTE, "attention died of SIGSEGV"};
        Answer answer;
        answer.seconds = seconds_(round) + empty;
        world_.now += answer.seconds;
        if (round == wrong_in) answer.outputs.arrays.emplace_back("wrong", Array::zeros(Dtype::f32, {1}));
        return answer;
    }
    Outcome<double> empty_call() override { return empty; }
    std::string doubt() const override { return doubted; }
    std::string remark() const override { return odd; }

    double empty = 0.001;
    int wrong_in = -2, fails_in = -2;
    std::string doubted, odd;

  private:
    World& world_;
    char letter_;
    std::function<double(int)> seconds_;
};

std::function<double(int)> always(double seconds) {
    return [seconds](int) { return seconds; };
}

Race run(World& world, const std::vector<Entrant>& entrants, Contestant& twin, Rules rules) {
    Course course;
    course.make = [](int round) { return Problem{"made", {{"round", std::int64_t{round}, {}}}}; };
    course.wrong = [](const Problem&, const Answer& answer) -> std::string {
        return answer.outputs.arrays.empty() ? "" : "a timed call's answer is wrong: out[0] is 1, expected 2";
    };
    course.now = [&world] { return world.now; };
    return race(entrants, twin, course, rules);
}

Rules rounds(int count) {
    Rules rules;
    rules.seconds = 1e9;
    rules.fewest = rules.most = count;
    return rules;
}

} // namespace

TEST_CASE("contestants are asked in turn, forwards and backwards, the twin last and first", "[timing]") {
    World world;
    Made a(world, 'A', always(0.1)), b(world, 'B', always(0.2)), c(world, 'C', always(0.3)),
        twin(world, 'a', always(0.1));
    const Race race = run(world, {{"attempt", &a}, {"solution", &b}, {"naive", &c}}, twin, rounds(4));
    CHECK(world.order == "ABCaaCBAABCaaCBA");
    CHECK(race.rounds == 4);
    CHECK(race.timings.size() == 3);
    CHECK(race.timings[0].rounds == std::vector<int>{0, 1, 2, 3});
}

TEST_CASE("the empty call's median is taken off, and ratios are to the reference", "[timing]") {
    World world;
    Made a(world, 'A', always(0.1)), b(world, 'B', always(0.2)), twin(world, 'a', always(0.1));
    a.empty = 0.01;
    Rules rules = rounds(8);
    rules.reference = 1;
    const Race race = run(world, {{"attempt", &a}, {"solution", &b}}, twin, rules);
    CHECK(race.timings[0].median == Approx(0.1));
    CHECK(race.timings[0].empty == 0.01);
    CHECK(race.timings[0].ratio == Approx(2.0));
    CHECK(race.timings[0].ratios.low == Approx(2.0));
    CHECK(race.timings[1].ratio == Approx(1.0));
    CHECK(race.control == Approx(1.0));
    CHECK(race.timings[0].has_figure());
}

TEST_CASE("a machine that slows down steadily, or in spells, changes no ratio", "[timing]") {
    World world;
    const auto slowing = [&](double seconds) {
        return [&world, seconds](int) { return seconds * (1 + world.now / 50) * (int(world.now) % 5 == 0 ? 1.5 : 1); };
    };
    Made a(world, 'A', slowing(0.1)), b(world, 'B', slowing(0.3)), twin(world, 'a', slowing(0.1));
    Rules rules = rounds(40);
    rules.reference = 1;
    const Race race = run(world, {{"attempt", &a}, {"solution", &b}}, twin, rules);
    CHECK(race.timings[0].ratio == Approx(3.0).epsilon(0.02));
    CHECK(race.timings[0].has_figure());
}

TEST_CASE("two processes of one program that differ by 3.1 % refuse every figure; by 2.9 % none", "[timing]") {
    for (const double off : {1.031, 0.969, 1.029, 0.971}) {
        World world;
        Made a(world, 'A', always(0.1)), b(world, 'B', always(0.2)), twin(world, 'a', always(0.1 * off));
        const Race race = run(world, {{"attempt", &a}, {"solution", &b}}, twin, rounds(9));
        INFO("the twin takes " << off << " times as long");
        const bool refused = off > 1.03 || off < 0.97;
        CHECK(race.control == Approx(off));
        for (const Timing& timing : race.timings) {
            CHECK(timing.has_figure() != refused);
            CHECK_FALSE(timing.disqualified);
            if (refused) CHECK(timing.refused.find("differ by 3.1 %, more than 3 %") != std::string::npos);
        }
    }
}

TEST_CASE("a wrong answer in a timed call disqualifies, and the others run on", "[timing]") {
    World world;
    Made a(world, 'A', always(0.1)), b(world, 'B', always(0.2)), twin(world, 'a', always(0.1));
    b.wrong_in = 2;
    const Race race = run(world, {{"attempt", &a}, {"other", &b}}, twin, rounds(7));
    CHECK(world.order == "ABaaBAABaaAAaaAAa");
    CHECK(race.timings[1].disqualified);
    CHECK(race.timings[1].refused == "a timed call's answer is wrong: out[0] is 1, expected 2");
    CHECK(race.timings[0].has_figure());
}

TEST_CASE("a wrong answer before the first round, and a crash, are told as such", "[timing]") {
    World world;
    Made a(world, 'A', always(0.1)), b(world, 'B', always(0.2)), c(world, 'C', always(0.2)),
        twin(world, 'a', always(0.1));
    b.wrong_in = -1;
    c.fails_in = 0;
    const Race race = run(world, {{"attempt", &a}, {"b", &b}, {"c", &c}}, twin, rounds(6));
    CHECK(race.timings[1].disqualified);
    CHECK(race.timings[1].samples.empty());
    CHECK(race.timings[2].refused == "attention died of SIGSEGV");
    CHECK(race.timings[0].has_figure());
}

TEST_CASE("with the first contestant goes the control: nobody's figure stands", "[timing]") {
    World world;
    Made a(world, 'A', always(0.1)), b(world, 'B', always(0.2)), twin(world, 'a', always(0.1));
    a.fails_in = 3;
    const Race race = run(world, {{"attempt", &a}, {"solution", &b}}, twin, rounds(9));
    CHECK(race.rounds == 4);
    CHECK(race.timings[0].disqualified);
    CHECK_FALSE(race.timings[1].disqualified);
    CHECK(race.timings[1].refused == "attempt was disqualified, and with it went the control");
}

TEST_CASE("what the twin does wrong is the first contestant's doing: they are one program", "[timing]") {
    World world;
    Made a(world, 'A', always(0.1)), b(world, 'B', always(0.2)), twin(world, 'a', always(0.1));
    twin.wrong_in = 2;
    const Race race = run(world, {{"attempt", &a}, {"solution", &b}}, twin, rounds(9));
    CHECK(race.rounds == 3);
    CHECK(race.timings[0].disqualified);
    CHECK(race.timings[0].refused.find("answer is wrong") != std::string::npos);
    CHECK_FALSE(race.timings[1].has_figure());
}

TEST_CASE("faster than the floor is a finding and no figure; a figure at the floor stands", "[timing]") {
    World world;
    Made a(world, 'A', always(0.0999)), b(world, 'B', always(0.1001)), twin(world, 'a', always(0.0999));
    Race race = run(world, {{"attempt", &a}, {"solution", &b}}, twin, rounds(9));
    refuse_below(0.1, race);
    CHECK(race.timings[0].faster_than_floor);
    CHECK_FALSE(race.timings[0].has_figure());
    CHECK(race.timings[0].refused.find("99.9 ms is less than the 100 ms") != std::string::npos);
    CHECK(race.timings[1].has_figure());
    CHECK_FALSE(race.timings[1].faster_than_floor);
}

TEST_CASE("one that takes more than its share sits out, and has fewer rounds; the race keeps to its time", "[timing]") {
    World world;
    Made a(world, 'A', always(0.1)), b(world, 'B', always(0.1)), slow(world, 'S', always(3)),
        twin(world, 'a', always(0.1));
    Rules rules;
    rules.seconds = 10;
    rules.reference = 1;
    const Race race = run(world, {{"attempt", &a}, {"solution", &b}, {"naive", &slow}}, twin, rules);
    CHECK(race.timings[2].samples.size() < 3);
    CHECK(race.timings[0].samples.size() > 10);
    CHECK(race.timings[2].ratio == Approx(1.0 / 30));
    CHECK(race.timings[2].ratios.coverage == 0);
    CHECK(world.now < 11);
}

TEST_CASE("too few rounds for an interval are refused, with the time that would do", "[timing]") {
    World world;
    const auto slower = [](int round) { return round < 0 ? 0.1 : 30; }; // than its first call
    Made a(world, 'A', slower), b(world, 'B', slower), twin(world, 'a', slower);
    Rules rules;
    rules.seconds = 10;
    const Race race = run(world, {{"attempt", &a}, {"solution", &b}}, twin, rules);
    CHECK(race.rounds == 1);
    CHECK(race.timings[0].refused.find("only one round fitted into the time") != std::string::npos);
    CHECK(world.now < 100);
}

TEST_CASE("what is far too slow for the time is told at once, with the time that would do", "[timing]") {
    World world;
    Made a(world, 'A', always(10)), b(world, 'B', always(1)), twin(world, 'a', always(10));
    Rules rules;
    rules.seconds = 10;
    const Race race = run(world, {{"attempt", &a}, {"solution", &b}}, twin, rules);
    CHECK(race.rounds == 0);
    CHECK(world.now == Approx(21.003)); // a call each
    for (const Timing& timing : race.timings)
        CHECK(timing.refused == "a round takes 20 s here, and 7 are needed: time a smaller case, or give --seconds 27");
    rules.seconds = 27;
    World longer;
    Made c(longer, 'A', always(10)), d(longer, 'B', always(1)), again(longer, 'a', always(10));
    CHECK(run(longer, {{"attempt", &c}, {"solution", &d}}, again, rules).rounds == 7);
}

TEST_CASE("a call that takes no longer than an empty one is not measurable", "[timing]") {
    World world;
    Made a(world, 'A', always(0.0005)), b(world, 'B', always(0.1)), twin(world, 'a', always(0.0005));
    const Race race = run(world, {{"attempt", &a}, {"solution", &b}}, twin, rounds(8));
    CHECK(race.timings[0].refused.find("no longer than the 1000 us") != std::string::npos);
    CHECK(race.timings[1].has_figure());
}

TEST_CASE("times that cannot stand are refused once the race is over, the twin's for both", "[timing]") {
    World world;
    Made a(world, 'A', always(0.1)), b(world, 'B', always(0.2)), twin(world, 'a', always(0.1));
    b.doubted = "its clocks were touched";
    b.odd = a.odd = "odd";
    const Race one = run(world, {{"attempt", &a}, {"other", &b}}, twin, rounds(7));
    CHECK(one.timings[0].has_figure());
    CHECK(one.timings[0].remark == "odd");
    CHECK(one.timings[1].refused == "its clocks were touched");
    CHECK_FALSE(one.timings[1].disqualified);
    CHECK(one.timings[1].samples.size() == 7);

    World again;
    Made c(again, 'A', always(0.1)), d(again, 'B', always(0.2)), other(again, 'a', always(0.1));
    other.doubted = "its clocks were touched";
    const Race both = run(again, {{"attempt", &c}, {"other", &d}}, other, rounds(7));
    CHECK(both.timings[0].refused == "its clocks were touched");
    CHECK(both.timings[1].has_figure());
}
