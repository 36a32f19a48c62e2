// The virtual clock: what happens first, what ends a run, and how a run is told.
#include "catch.hpp"

#include "core/random.hpp"
#include "simulate/simulation.hpp"
#include "simulate/story.hpp"

#include <algorithm>

using namespace assay;

namespace {

struct Tick {
    int id = 0;
};

/// Each tick schedules another, `left` times; one promise may break at a given tick.
class Ticking final : public Simulation<Tick> {
  public:
    Ticking(int left, int breaks_at) : left_(left), breaks_at_(breaks_at) {
        promise([this] { return std::string(seen.size() < 1000 ? "" : "more than 999 ticks"); });
        promise([this] { return std::string(!seen.empty() && seen.back() == breaks_at_ ? "the bad tick" : ""); });
        schedule(0, 0, {0});
    }
    std::vector<int> seen;

  private:
    int left_, breaks_at_;
    void happen(const Tick& tick) override {
        seen.push_back(tick.id);
        if (left_-- > 0) schedule(now() + 5, 0, {tick.id + 1});
    }
};

} // namespace

TEST_CASE("events go by time, then kind, then the order in which they were scheduled") {
    EventQueue<int> queue;
    queue.add(10, 2, 1);
    queue.add(10, 1, 2);
    queue.add(5, 9, 3);
    queue.add(10, 1, 4);
    queue.add(10, 0, 5);
    std::vector<int> order;
    while (!queue.empty()) order.push_back(queue.next());
    CHECK(order == std::vector<int>{3, 5, 2, 4, 1});
    CHECK(queue.now() == 10);
    queue.add(10, 0, 6); // now is not the past
    CHECK_THROWS_AS(queue.add(9, 0, 7), std::logic_error);
}

TEST_CASE("any mix of insertions and removals comes out in order") {
    Random random(3, "queue");
    EventQueue<std::pair<Time, int>> queue;
    std::pair<Time, int> last{0, 0};
    for (int i = 0; i < 20000; ++i) {
        if (queue.empty() || random.chance(0.6)) {
            const Time at = queue.now() + random.integer(0, 20);
            const int kind = static_cast<int>(random.integer(0, 3));
            queue.add(at, kind, {at, kind});
            if (std::pair(at, kind) < last) last = {at, kind}; // it may still go before what went at this instant
        } else {
            const std::pair<Time, int> next = queue.next();
            REQUIRE(next >= last);
            last = next;
        }
    }
}

TEST_CASE("a run ends when nothing is left, when a promise breaks, or when it will not end") {
    Ticking quiet(20, -1);
    quiet.run(1000);
    CHECK_FALSE(quiet.violation());
    CHECK(quiet.seen.size() == 21);
    CHECK(quiet.now() == 100);

    Ticking broken(20, 7);
    broken.run(1000);
    REQUIRE(broken.violation());
    CHECK(broken.violation()->invariant == 2);
    CHECK(broken.violation()->at == 35);
    CHECK(broken.violation()->sentence == "the bad tick");
    CHECK(broken.seen.size() == 8); // nothing happens after it

    Ticking endless(1 << 30, -1);
    endless.run(100);
    REQUIRE(endless.violation());
    CHECK(endless.violation()->invariant == 0);
    CHECK(endless.events() == 100);
}

TEST_CASE("times are told exactly, in the unit that suits") {
    CHECK(text_of(Time{0}) == "0");
    CHECK(text_of(28 * millisecond) == "28 ms");
    CHECK(text_of(12'500 * microsecond) == "12.5 ms");
    CHECK(text_of(1'000'001) == "1000.001 µs");
    CHECK(text_of(1'000'000'001) == "1000000001 ns");
    CHECK(text_of(90 * second) == "90 s");
    CHECK(text_of(-3 * microsecond) == "-3 µs");
    CHECK(text_of(never) == "never");
}

TEST_CASE("requests have letters as columns do") {
    CHECK(letter_of(0) == "A");
    CHECK(letter_of(25) == "Z");
    CHECK(letter_of(26) == "AA");
    CHECK(letter_of(27 * 26 - 1) == "ZZ");
    CHECK(letter_of(27 * 26) == "AAA");
    CHECK(letters_of({0, 2}) == "A, C");
    CHECK(letters_of({0, 1, 2, 3}, 2) == "A, B, ... (4)");
}

TEST_CASE("a story is a timeline") {
    Story story;
    story.tell(0, "A arrives");
    story.tell(0, "B arrives");
    story.tell(12'500 * microsecond, "fires A, B");
    CHECK(story.lines() ==
          std::vector<std::string>{"t = 0        A arrives", "             B arrives", "t = 12.5 ms  fires A, B"});
}
