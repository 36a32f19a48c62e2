// Level 3 of `broadcast`: both chains played through their racks hop by hop, with the streams on each uplink counted.
#include "core/random.hpp"
#include "exercises/broadcast/ask.hpp"

#include <algorithm>

using namespace assay;
using namespace assay::broadcast_test;

namespace {

struct Played {
    std::size_t streams = 0; // into the rack that takes in most
    double crossing = 0;     // B/s
    double first = 0, last = 0;
};

/// `racks_in_order`: the rack of each worker along the chain. The source is in none.
Played play(const std::vector<std::size_t>& racks_in_order, double bytes, double link, double uplink,
            std::size_t chunks) {
    constexpr std::size_t nowhere = static_cast<std::size_t>(-1);
    Played result;
    std::vector<std::size_t> into(racks_in_order.size(), 0);
    for (std::size_t i = 0; i < racks_in_order.size(); ++i) {
        const std::size_t before = i == 0 ? nowhere : racks_in_order[i - 1];
        if (before != racks_in_order[i]) ++into[racks_in_order[i]];
    }
    result.streams = *std::max_element(into.begin(), into.end());
    result.crossing = std::min(link, uplink / static_cast<double>(result.streams));
    const double chunk = bytes / static_cast<double>(chunks);
    std::vector<double> at(chunks, 0); // when each chunk is whole at the node looked at
    for (std::size_t i = 0; i < racks_in_order.size(); ++i) {
        const bool crosses = i == 0 || racks_in_order[i - 1] != racks_in_order[i];
        double free = 0;
        for (double& time : at) {
            time = std::max(time, free) + chunk / (crosses ? result.crossing : link);
            free = time;
        }
    }
    result.first = at.front();
    result.last = at.back();
    return result;
}

} // namespace

TEST_CASE("25 racks of 40 workers, oversubscribed 4 to 1: the blind chain takes four times as long") {
    const Answers a(rack_problem(500, 10, 25, 40, 4, 500));
    CHECK(a("uplink") == 12.5e9);
    CHECK(a("aware_bytes") == 500e9);
    CHECK(a("blind_bytes") == 20e12);
    CHECK(a("aware_rate") == 1.25e9);
    CHECK(near(a("aware"), 1199.2)); // as the chain without racks
    CHECK(near(a("blind"), 4796.8));
    CHECK(near(a("slowdown"), 4));
}

TEST_CASE("both chains take as long as they do when played") {
    Random random(6, "racks");
    int narrow = 0, single = 0;
    for (int i = 0; i < 200; ++i) {
        const auto racks = static_cast<std::size_t>(random.integer(1, 6)),
                   workers = static_cast<std::size_t>(random.integer(1, 8)),
                   chunks = static_cast<std::size_t>(random.integer(1, 12));
        const double size = random.uniform(1, 100), gbps = random.uniform(1, 100), over = random.uniform(0.5, 20);
        const double bytes = size * 1e9, link = gbps * 1.25e8, uplink = static_cast<double>(workers) * link / over;
        std::vector<std::size_t> aware, blind;
        for (std::size_t n = 0; n < racks * workers; ++n) {
            aware.push_back(n / workers);
            blind.push_back(n % racks);
        }
        const Played one = play(aware, bytes, link, uplink, chunks), other = play(blind, bytes, link, uplink, chunks);
        const Answers a(rack_problem(size, gbps, static_cast<std::int64_t>(racks), static_cast<std::int64_t>(workers),
                                     over, static_cast<std::int64_t>(chunks)));
        INFO(racks << " racks of " << workers << ", " << over << " to 1, " << chunks << " chunks");
        const auto same = [](double x, double y) { return x == Approx(y).epsilon(1e-12).margin(0); };
        CHECK(one.streams == 1);
        CHECK(same(a("uplink"), uplink));
        CHECK(same(a("local_hop"), bytes / static_cast<double>(chunks) / link));
        CHECK(same(a("aware_bytes"), bytes * static_cast<double>(one.streams)));
        CHECK(same(a("aware_rate"), one.crossing));
        CHECK(same(a("aware_hop"), bytes / static_cast<double>(chunks) / one.crossing));
        CHECK(same(a("aware_first"), one.first));
        CHECK(same(a("aware"), one.last));
        CHECK(same(a("blind_bytes"), bytes * static_cast<double>(other.streams)));
        CHECK(same(a("blind_rate"), other.crossing));
        CHECK(same(a("blind_hop"), bytes / static_cast<double>(chunks) / other.crossing));
        CHECK(same(a("blind"), other.last));
        CHECK(same(a("slowdown"), other.last / one.last));
        narrow += one.crossing < link ? 1 : 0;
        single += racks == 1 ? 1 : 0;
    }
    CHECK(narrow >= 20);
    CHECK(single >= 10);
}

TEST_CASE("with one chunk after another, a slow hop sets the pace and the others are filled once") {
    // 2 racks of 2, 8 Gbit/s, 8 to 1: crossings at 0.25 GB/s, hops within a rack at 1 GB/s; 3 chunks of 1 GB.
    const Answers a(rack_problem(3, 8, 2, 2, 8, 3));
    CHECK(a("local_hop") == 1);
    CHECK(a("aware_hop") == 4);
    CHECK(a("aware_first") == 4 + 1 + 4 + 1);
    CHECK(a("aware") == 10 + 2 * 4);
    CHECK(a("blind_hop") == 8); // two streams share 0.25 GB/s
    CHECK(a("blind") == (3 + 4 - 1) * 8);
}
