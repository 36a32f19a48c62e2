// Half the link for whoever receives and sends at once.
// Level: closed-forms
#include "contract.hpp"

#include <algorithm>

namespace broadcast {

namespace {

bool inside(double x) { return x >= 1e-9 && x <= 1e12; }
bool counted(std::int64_t x) { return x >= 1 && x <= 1'000'000'000'000'000; }

int log2_floor(std::int64_t x) {
    int power = 0;
    while (x >>= 1) ++power;
    return power;
}

// Slots until the last of `nodes` in heap order has the first chunk.
std::int64_t first_chunk(std::int64_t nodes) {
    const int d = log2_floor(nodes);
    return std::max(2 * (d - 1), d + log2_floor(nodes + 1 - (std::int64_t{1} << d)));
}

} // namespace

plans plan_times(transfer job, std::int64_t chunks) {
    if (!inside(job.size_gb) || !inside(job.link_gbps) || !counted(job.receivers) || !counted(chunks)) return {};
    const std::int64_t n = job.receivers, k = chunks;
    plans p;
    p.bytes = job.size_gb * 1e9;
    p.link = job.link_gbps * 1e9 / 8;
    p.floor = p.bytes / p.link;
    p.source_bytes = p.bytes * static_cast<double>(n);
    p.naive = p.source_bytes / p.link;
    p.rounds = log2_floor(n) + 1;
    p.binomial = static_cast<double>(p.rounds) * p.floor;
    p.slot = p.floor / static_cast<double>(k);
    p.chain_slots = k + n - 1;
    p.chain = 2 * p.slot * static_cast<double>(p.chain_slots);
    p.tree_first = first_chunk(n + 1);
    const std::int64_t pace = n == 1 ? 1 : 2;
    p.tree_slots = pace * (k - 1) + p.tree_first;
    p.tree = 2 * p.slot * static_cast<double>(p.tree_slots);
    p.optimum_slots = k + log2_floor(n);
    p.optimum = 2 * p.slot * static_cast<double>(p.optimum_slots);
    return p;
}

swarm swarm_bound(double size_gb, double source_gbps, tensor<const double, 1> upload_gbps,
                  tensor<const double, 1> download_gbps) {
    const int n = static_cast<int>(upload_gbps.extent(0));
    if (!inside(size_gb) || !inside(source_gbps) || n == 0) return {};
    double total = source_gbps, slowest = download_gbps(0);
    for (int i = 0; i < n; ++i) {
        if (!(upload_gbps(i) >= 0 && upload_gbps(i) <= 1e12) || !inside(download_gbps(i))) return {};
        total += upload_gbps(i);
        slowest = std::min(slowest, download_gbps(i));
    }
    const double bytes = size_gb * 1e9, rate = 1e9 / 8;
    swarm s;
    s.t_source = bytes / (source_gbps * rate);
    s.t_download = bytes / (slowest * rate);
    s.t_upload = n * bytes / (total * rate);
    s.t_bound = std::max({s.t_source, s.t_download, s.t_upload});
    s.binds = s.t_bound == s.t_source ? limit::source : s.t_bound == s.t_download ? limit::download : limit::upload;
    return s;
}

} // namespace broadcast
