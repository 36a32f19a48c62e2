// Level 1 of `broadcast`: the numbers of the question, and the closed forms against schedules played slot by slot.
#include "core/random.hpp"
#include "exercises/broadcast/ask.hpp"
#include "exercises/broadcast/simulate.hpp"

using namespace assay;
using namespace assay::broadcast_test;

namespace {

struct Sizes {
    std::size_t receivers, chunks;
};
std::vector<Sizes> random_sizes(std::string_view name, std::int64_t most_receivers, std::int64_t most_chunks) {
    Random random(1, name);
    std::vector<Sizes> sizes;
    for (int i = 0; i < 200; ++i)
        sizes.push_back({static_cast<std::size_t>(random.integer(1, most_receivers)),
                         static_cast<std::size_t>(random.integer(1, most_chunks))});
    return sizes;
}

Answers answers_of(Sizes s, double size_gb = 500, double link_gbps = 10) {
    return Answers(
        plan_problem(size_gb, link_gbps, static_cast<std::int64_t>(s.receivers), static_cast<std::int64_t>(s.chunks)));
}

} // namespace

TEST_CASE("500 GB to 1000 receivers over 10 Gbit/s") {
    const Answers a(plan_problem(500, 10, 1000, 500));
    CHECK(a("bytes") == 500e9);
    CHECK(a("link") == 1.25e9);
    CHECK(a("floor") == 400);
    CHECK(a("naive") == 4e5);
    CHECK(a("naive") / 86400 == Approx(4.63).margin(0.005)); // days
    CHECK(a("rounds") == 10);
    CHECK(a("binomial") == 4000);
    CHECK(a("tree_slots") == 2 * 500 + 15);
    const struct {
        std::int64_t chunks;
        double chain, tree, optimum;
    } rows[] = {{500, 1199.2, 812.0, 407.2}, {7813, 451.15, 800.77, 400.46}, {31250, 412.79, 800.19, 400.12}};
    for (const auto& row : rows) {
        const Answers at(plan_problem(500, 10, 1000, row.chunks));
        CHECK(at("chain") == Approx(row.chain).margin(0.005).epsilon(0));
        CHECK(at("tree") == Approx(row.tree).margin(0.005).epsilon(0));
        CHECK(at("optimum") == Approx(row.optimum).margin(0.005).epsilon(0));
    }
    CHECK(Answers(plan_problem(500, 10, 1024, 500))("rounds") == 11);
    CHECK(Answers(plan_problem(500, 10, 1023, 500))("rounds") == 10);
}

TEST_CASE("the statement's worked example: 12 GB to 5 receivers over 8 Gbit/s") {
    const Answers a(plan_problem(12, 8, 5, 4));
    CHECK(a("floor") == 12);
    CHECK(a("source_bytes") == 60e9);
    CHECK(a("rounds") == 3);
    CHECK(a("binomial") == 36);
    CHECK(a("slot") == 3);
    CHECK(a("chain_slots") == 8);
    CHECK(a("tree_first") == 3);
    CHECK(a("tree_slots") == 9);
    CHECK(a("tree") == 27);
    CHECK(a("optimum_slots") == 6);
    const Answers late(best_problem(12, 8, 5, 500));
    CHECK(late("chain_chunks") == 10);
    CHECK(late("chain") == Approx(23.8));
    CHECK(late("tree_chunks") == 3); // 4 take as long
    CHECK(late("tree") == 31.5);
    CHECK(late("optimum_chunks") == 7);
    CHECK(late("optimum") == Approx(19.929).epsilon(1e-4));
    const Answers racks(rack_problem(12, 8, 2, 3, 6, 4));
    CHECK(racks("uplink") == 0.5e9);
    CHECK(racks("aware_first") == 24);
    CHECK(racks("aware") == 42);
    CHECK(racks("blind") == Approx(162));
    CHECK(racks("slowdown") == Approx(3.857).epsilon(1e-4));
}

TEST_CASE("the wrong trees of 1000 receivers: 2k + 7, 2k + 13, 2k + 16") {
    const auto slots = [](const char* mistake) {
        return Answers(plan_problem(500, 10, 1000, 500), mistake)("tree_slots");
    };
    CHECK(slots("right-child-as-fast") == 1000 + 7);
    CHECK(slots("last-node-last") == 1000 + 13);
    CHECK(slots("two-slots-a-level") == 1000 + 16);
    CHECK(slots("uplink-not-shared") == 500 + 8);
}

TEST_CASE("the question's own size, played: 1000 receivers and 500 chunks") {
    CHECK(referee(relay(chain(1000), 500), 1000, 500) == 1499);
    CHECK(referee(relay(heap(1000), 500), 1000, 500) == 1015);
    CHECK(referee(hypercube(1000, 500), 1000, 500) == 509);
    CHECK(referee(binomial(1000), 1000, 1) == 10);
}

TEST_CASE("chain, tree and binomial tree take as long as they do when played") {
    for (const Sizes s : random_sizes("plans", 150, 40)) {
        INFO(s.receivers << " receivers, " << s.chunks << " chunks");
        const Answers a = answers_of(s);
        const auto slots = [&](const std::vector<Send>& sends) {
            return static_cast<double>(referee(sends, s.receivers, s.chunks));
        };
        CHECK(a("chain_slots") == slots(relay(chain(s.receivers), s.chunks)));
        CHECK(a("tree_slots") == slots(relay(heap(s.receivers), s.chunks)));
        CHECK(a("tree_first") == static_cast<double>(referee(relay(heap(s.receivers), 1), s.receivers, 1)));
        CHECK(a("rounds") == static_cast<double>(referee(binomial(s.receivers), s.receivers, 1)));
    }
}

TEST_CASE("the two-child tree's first chunk, for every size up to 3000") {
    bool same = true;
    for (std::size_t n = 1; n <= 3000; ++n)
        same = same && answers_of({n, 1})("tree_first") == static_cast<double>(referee(relay(heap(n), 1), n, 1));
    CHECK(same);
}

// J. Mundinger, R. Weber, G. Weiss, Optimal scheduling of peer-to-peer file dissemination, J. Scheduling 11 (2008)
// 105-120: with equal uploads the least makespan is 1 + floor(log2 N) / k files.
TEST_CASE("the optimum is reached by a schedule on a hypercube") {
    for (const Sizes s : random_sizes("optimum", 100, 30)) {
        INFO(s.receivers << " receivers, " << s.chunks << " chunks");
        CHECK(answers_of(s)("optimum_slots") ==
              static_cast<double>(referee(hypercube(s.receivers, s.chunks), s.receivers, s.chunks)));
    }
}

TEST_CASE("no schedule beats the optimum: all of them tried") {
    for (const Sizes s : {Sizes{1, 1},
                          {1, 4},
                          {2, 1},
                          {2, 2},
                          {2, 3},
                          {2, 4},
                          {3, 1},
                          {3, 2},
                          {3, 3},
                          {4, 1},
                          {4, 2},
                          {5, 1},
                          {5, 2},
                          {6, 1},
                          {7, 1},
                          {8, 1}}) {
        INFO(s.receivers << " receivers, " << s.chunks << " chunks");
        CHECK(answers_of(s)("optimum_slots") == static_cast<double>(exhaustive(s.receivers, s.chunks)));
    }
}

TEST_CASE("times are slots times the time of a chunk, in bits a second") {
    Random random(2, "times");
    for (int i = 0; i < 200; ++i) {
        const double size = random.uniform(0.5, 900), link = random.uniform(0.5, 400);
        const Sizes s{static_cast<std::size_t>(random.integer(1, 60)), static_cast<std::size_t>(random.integer(1, 30))};
        const Answers a = answers_of(s, size, link);
        const double chunk_bits = size * 8e9 / static_cast<double>(s.chunks), slot = chunk_bits / (link * 1e9);
        const auto seconds = [&](std::size_t slots) { return static_cast<double>(slots) * slot; };
        CHECK(near(a("slot"), slot));
        CHECK(near(a("floor"), seconds(s.chunks)));
        CHECK(near(a("naive"), seconds(s.chunks * s.receivers)));
        CHECK(near(a("binomial"), seconds(s.chunks * referee(binomial(s.receivers), s.receivers, 1))));
        CHECK(near(a("chain"), seconds(referee(relay(chain(s.receivers), s.chunks), s.receivers, s.chunks))));
        CHECK(near(a("tree"), seconds(referee(relay(heap(s.receivers), s.chunks), s.receivers, s.chunks))));
        CHECK(near(a("optimum"), seconds(referee(hypercube(s.receivers, s.chunks), s.receivers, s.chunks))));
    }
}

TEST_CASE("the referee refuses what breaks the rules") {
    CHECK(referee({{0, 0, 1, 0}, {1, 1, 2, 0}}, 2, 1) == 2);
    CHECK_THROWS(referee({{0, 0, 1, 0}, {0, 0, 2, 0}}, 2, 1));               // two sends
    CHECK_THROWS(referee({{0, 0, 1, 0}, {0, 1, 2, 0}}, 2, 1));               // not there yet
    CHECK_THROWS(referee({{0, 0, 1, 0}}, 2, 1));                             // one left out
    CHECK_THROWS(referee({{0, 0, 1, 0}, {1, 0, 2, 0}, {1, 1, 2, 0}}, 2, 1)); // two receipts
}
