// The swarm bound of `broadcast` is reached by a fluid plan (R. Kumar, K. Ross, Peer-assisted file distribution: the
// minimum distribution time, HotWeb 2006), whose rates are checked link by link here.
#include "core/random.hpp"
#include "exercises/broadcast/ask.hpp"

#include <algorithm>
#include <numeric>

using namespace assay;
using namespace assay::broadcast_test;

namespace {

/// The rate at which all receivers get the file when the source sends a stream of its own to each receiver, who passes
/// it on to all others, and one more stream to all. Every link is checked.
double fluid_rate(double source, const std::vector<double>& upload, const std::vector<double>& download) {
    const auto n = static_cast<double>(upload.size());
    const double peers = std::accumulate(upload.begin(), upload.end(), 0.0);
    std::vector<double> own(upload.size());
    double common = 0;
    if (upload.size() == 1) {
        own[0] = source;
    } else if ((n - 1) * source <= peers) {
        for (std::size_t i = 0; i < upload.size(); ++i) own[i] = source * upload[i] / peers;
    } else {
        for (std::size_t i = 0; i < upload.size(); ++i) own[i] = upload[i] / (n - 1);
        common = (source - peers / (n - 1)) / n;
    }
    double rate = std::accumulate(own.begin(), own.end(), common);
    const double slowest = *std::min_element(download.begin(), download.end());
    const double throttle = std::min(1.0, slowest / rate);
    rate *= throttle;
    constexpr double rounding = 1 + 1e-12;
    for (std::size_t i = 0; i < upload.size(); ++i) {
        CHECK((n - 1) * own[i] * throttle <= upload[i] * rounding);
        CHECK(rate <= download[i] * rounding);
    }
    CHECK(rate + (n - 1) * common * throttle <= source * rounding); // all own streams, and n common ones
    return rate;
}

} // namespace

TEST_CASE("the swarm bound is reached by a fluid plan that keeps to every link") {
    Random random(3, "swarm");
    int binding[3] = {0, 0, 0};
    for (int i = 0; i < 200; ++i) {
        const double size = random.uniform(1, 500), source = random.uniform(1, 40);
        std::vector<double> upload, download;
        const std::int64_t n = random.integer(1, 12);
        for (std::int64_t j = 0; j < n; ++j) {
            upload.push_back(random.chance(0.2) ? 0 : random.uniform(0.1, 60));
            download.push_back(random.uniform(10, 100));
        }
        const Answers a(swarm_problem(size, source, upload, download));
        CHECK(a("t_bound") == Approx(size * 8 / fluid_rate(source, upload, download)).epsilon(1e-12));
        CHECK(a("t_bound") == std::max({a("t_source"), a("t_download"), a("t_upload")}));
        ++binding[static_cast<int>(a("binds"))];
    }
    for (const int count : binding) CHECK(count >= 10); // all three limits were met
}

TEST_CASE("with equal links the swarm bound is the floor of the closed forms") {
    for (const std::size_t n : {1U, 7U, 1000U}) {
        const std::vector<double> links(n, 10);
        const Answers a(swarm_problem(500, 10, links, links));
        CHECK(a("t_bound") == Answers(plan_problem(500, 10, 7, 3))("floor"));
        CHECK(a("binds") == 0); // of equal limits the first
    }
}
