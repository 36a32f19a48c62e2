// Problems of each route, fixed and random.
#include "cases.hpp"

#include "core/random.hpp"
#include "oracle.hpp"

#include <cmath>
#include <limits>

namespace assay::broadcast_judge {

namespace {

/// Log-uniform, so that small and large are alike likely.
double spread(Random& random, double low, double high) {
    return low * std::exp2(random.uniform(0, std::log2(high / low)));
}

std::int64_t count(Random& random, double high) { return static_cast<std::int64_t>(spread(random, 1, high)); }

/// Now and then a number that no domain holds.
double spoilt(Random& random, double x) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const double bad[] = {0, -1, infinity, std::numeric_limits<double>::quiet_NaN(), 2e12};
    return random.chance(0.02) ? bad[random.integer(0, 4)] : x;
}
std::int64_t spoilt(Random& random, std::int64_t x) {
    const std::int64_t bad[] = {0, -1, 1'000'000'000'000'001};
    return random.chance(0.02) ? bad[random.integer(0, 2)] : x;
}

Problem random_swarm(Random& random) {
    const std::int64_t n = random.chance(0.03) ? 0 : random.integer(1, 9);
    std::vector<double> upload, download;
    for (std::int64_t i = 0; i < n; ++i) {
        upload.push_back(random.chance(0.2) ? 0 : spoilt(random, spread(random, 0.1, 100)));
        download.push_back(spoilt(random, spread(random, 0.1, 100)));
    }
    const double size = spoilt(random, spread(random, 1, 1e4));
    return swarm_problem(size, spoilt(random, spread(random, 0.1, 100)), upload, download);
}

} // namespace

Problem plan_problem(double size_gb, double link_gbps, std::int64_t receivers, std::int64_t chunks) {
    return {
        "plan_times",
        {{"size_gb", size_gb, {}}, {"link_gbps", link_gbps, {}}, {"receivers", receivers, {}}, {"chunks", chunks, {}}}};
}

Problem swarm_problem(double size_gb, double source_gbps, const std::vector<double>& upload_gbps,
                      const std::vector<double>& download_gbps) {
    const auto row = [](const std::vector<double>& values) {
        return Array::of(Dtype::f64, {static_cast<std::int64_t>(values.size())}, values);
    };
    return {"swarm_bound",
            {{"size_gb", size_gb, {}},
             {"source_gbps", source_gbps, {}},
             {"upload_gbps", row(upload_gbps), {"N"}},
             {"download_gbps", row(download_gbps), {"N"}}}};
}

Problem best_problem(double size_gb, double link_gbps, std::int64_t receivers, double latency_ms) {
    return {"best_chunks",
            {{"size_gb", size_gb, {}},
             {"link_gbps", link_gbps, {}},
             {"receivers", receivers, {}},
             {"latency_ms", latency_ms, {}}}};
}

Problem rack_problem(double size_gb, double link_gbps, std::int64_t racks, std::int64_t workers,
                     double oversubscription, std::int64_t chunks) {
    return {"rack_plans",
            {{"size_gb", size_gb, {}},
             {"link_gbps", link_gbps, {}},
             {"racks", racks, {}},
             {"workers", workers, {}},
             {"oversubscription", oversubscription, {}},
             {"chunks", chunks, {}}}};
}

Case fixed(std::string id, std::string why, Problem problem, std::string stays) {
    return {std::move(id), std::move(why), [problem = std::move(problem)](std::uint64_t) { return problem; },
            std::move(stays)};
}

Problem random_problem(std::uint64_t seed) {
    Random random(seed, "broadcast");
    if (random.chance(0.1)) return random_run(random);
    const std::int64_t route = random.integer(0, 3);
    if (route == 1) {
        Problem problem = random_swarm(random);
        while (!valid(problem)) problem = random_swarm(random);
        return problem;
    }
    const double size = spoilt(random, spread(random, 1, 1e4)), link = spoilt(random, spread(random, 0.5, 800));
    const std::int64_t chunks = spoilt(random, count(random, 1e5));
    if (route == 0) return plan_problem(size, link, spoilt(random, count(random, 3e4)), chunks);
    if (route == 2) {
        const std::int64_t racks = spoilt(random, count(random, 300)), workers = spoilt(random, count(random, 60));
        return rack_problem(size, link, racks, workers, spoilt(random, spread(random, 0.5, 100)), chunks);
    }
    // Half of these tie, or leave the real optimum just above k + 1/2: X = k(k + 1) + 0, 0.125 or 0.3, N = 2.
    if (random.chance(0.5)) {
        const std::int64_t k = random.integer(1, 7);
        const double over[] = {0, 0.125, 0.3};
        const double x = static_cast<double>(k * (k + 1)) + over[random.integer(0, 2)];
        Problem near_tie = best_problem(x * 1.25, 10, 2, 1000);
        if (valid(near_tie)) return near_tie;
    }
    const std::int64_t receivers = spoilt(random, count(random, 3e4));
    double latency = spoilt(random, spread(random, 1e-2, 1e4));
    Problem problem = best_problem(size, link, receivers, latency);
    while (!valid(problem)) problem = best_problem(size, link, receivers, latency *= 1.7);
    return problem;
}

} // namespace assay::broadcast_judge
