// The chain's k for all plans.
// Level: best-chunks
#include "contract.hpp"

#include <algorithm>
#include <cmath>

namespace broadcast {

namespace {

int log2_floor(std::int64_t x) {
    int power = 0;
    while (x >>= 1) ++power;
    return power;
}

struct result {
    double real = 0;
    std::int64_t chunks = 1;
    double time = 0;
};

// k chunks take pace k + extra slots, each of them latency + floor/k.
double time_of(double pace, double extra, double floor, double latency, double k) {
    return (pace * k + extra) * (latency + floor / k);
}

result best_of(double pace, double extra, double floor, double latency) {
    result r;
    const double square = extra * floor / (pace * latency);
    r.real = std::sqrt(square);
    double k = std::max(1.0, std::floor(r.real));
    while (k * (k + 1) < square) ++k;
    r.chunks = static_cast<std::int64_t>(k);
    r.time = time_of(pace, extra, floor, latency, k);
    return r;
}

} // namespace

best best_chunks(transfer job, double latency_ms) {
    const std::int64_t n = job.receivers;
    if (!(job.size_gb >= 1e-9 && job.size_gb <= 1e12) || !(job.link_gbps >= 1e-9 && job.link_gbps <= 1e12) || n < 1 ||
        n > 1'000'000'000'000'000 || !(latency_ms >= 1e-6 && latency_ms <= 1e9))
        return {};
    best b;
    b.floor = job.size_gb * 1e9 / (job.link_gbps * 1e9 / 8);
    b.latency = latency_ms / 1000;
    const int d = log2_floor(n + 1);
    const int first = std::max(2 * (d - 1), d + log2_floor(n + 2 - (std::int64_t{1} << d)));
    const double pace = n == 1 ? 1 : 2;
    const result chain = best_of(1, static_cast<double>(n - 1), b.floor, b.latency);
    b.chain_real = chain.real, b.chain_chunks = chain.chunks, b.chain = chain.time;
    b.tree_real = b.optimum_real = chain.real, b.tree_chunks = b.optimum_chunks = chain.chunks;
    const auto k = static_cast<double>(chain.chunks);
    b.tree = time_of(pace, first - pace, b.floor, b.latency, k);
    b.optimum = time_of(1, log2_floor(n), b.floor, b.latency, k);
    return b;
}

} // namespace broadcast
