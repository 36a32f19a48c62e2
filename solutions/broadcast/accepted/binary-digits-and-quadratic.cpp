// Everything in bits and bits a second; the tree from the binary digits of its node numbers; the best k as the root of
// a quadratic.
#include "contract.hpp"

#include <algorithm>
#include <cmath>

namespace broadcast {

namespace {

template <class T> bool in(T x, T low, T high) { return low <= x && x <= high; }
bool amount(double x) { return in(x, 1e-9, 1e12); }
bool counted(std::int64_t x) { return in<std::int64_t>(x, 1, 1'000'000'000'000'000); }

int digits_after_the_first(std::int64_t v) {
    int digits = 0;
    while (v >>= 1) ++digits;
    return digits;
}
int way_to(std::int64_t v) { // each digit 0 is a step to the left, each 1 a step to the right
    int slots = 0;
    for (; v > 1; v >>= 1) slots += v & 1 ? 2 : 1;
    return slots;
}

// The latest node is the last one, or one that agrees with it up to a digit 1 that it has as 0 and goes right from
// there on, or the end of the row above.
int latest(std::int64_t nodes) {
    const int d = digits_after_the_first(nodes);
    int slots = std::max(way_to(nodes), 2 * (d - 1));
    for (int digit = 0; digit < d; ++digit) {
        const std::int64_t bit = std::int64_t{1} << digit;
        if (nodes & bit) slots = std::max(slots, way_to((nodes & ~bit) | (bit - 1)));
    }
    return slots;
}

struct terms {
    double per_chunk, fixed; // slots = per_chunk k + fixed
};
terms chain(std::int64_t n) { return {1, static_cast<double>(n - 1)}; }
terms tree(std::int64_t n) { return n == 1 ? terms{1, 0} : terms{2, static_cast<double>(latest(n + 1) - 2)}; }
terms optimum(std::int64_t n) { return {1, static_cast<double>(digits_after_the_first(n))}; }

void solve(terms plan, double floor, double latency, double& real, std::int64_t& chunks, double& time) {
    const double x = plan.fixed / plan.per_chunk / latency * floor;
    real = std::sqrt(x);
    const double k = std::max(1.0, std::ceil((std::sqrt(1 + 4 * x) - 1) / 2)); // k(k + 1) = x
    chunks = static_cast<std::int64_t>(k);
    time = plan.per_chunk * floor + plan.fixed * latency + plan.per_chunk * k * latency + plan.fixed / k * floor;
}

} // namespace

plans plan_times(transfer job, std::int64_t chunks) {
    if (!amount(job.size_gb) || !amount(job.link_gbps) || !counted(job.receivers) || !counted(chunks)) return {};
    const double bits = job.size_gb * 8e9, bit_rate = job.link_gbps * 1e9;
    const auto n = static_cast<double>(job.receivers), k = static_cast<double>(chunks);
    plans p;
    p.bytes = bits / 8;
    p.link = bit_rate / 8;
    p.floor = bits / bit_rate;
    p.source_bytes = bits * n / 8;
    p.naive = bits * n / bit_rate;
    p.rounds = digits_after_the_first(job.receivers) + 1;
    p.binomial = bits * static_cast<double>(p.rounds) / bit_rate;
    p.slot = bits / (bit_rate * k);
    p.chain_slots = chunks + job.receivers - 1;
    p.chain = p.floor + (n - 1) * p.slot;
    p.tree_first = latest(job.receivers + 1);
    p.tree_slots = job.receivers == 1 ? chunks : 2 * chunks + p.tree_first - 2;
    p.tree = static_cast<double>(p.tree_slots) * p.slot;
    p.optimum_slots = chunks + digits_after_the_first(job.receivers);
    p.optimum = p.floor + digits_after_the_first(job.receivers) * p.slot;
    return p;
}

swarm swarm_bound(double size_gb, double source_gbps, tensor<const double, 1> upload_gbps,
                  tensor<const double, 1> download_gbps) {
    swarm s;
    const auto n = static_cast<int>(download_gbps.extent(0));
    bool valid = amount(size_gb) && amount(source_gbps) && n >= 1;
    double all = source_gbps, least = download_gbps.extent(0) ? download_gbps(0) : 0;
    for (int i = 0; i < n; ++i) {
        valid = valid && in(upload_gbps(i), 0.0, 1e12) && amount(download_gbps(i));
        all += upload_gbps(i);
        least = std::min(least, download_gbps(i));
    }
    if (!valid) return s;
    const double bits = size_gb * 8e9;
    const double limits[] = {bits / (source_gbps * 1e9), bits / (least * 1e9), bits / (all * 1e9) * n};
    const auto largest = std::max_element(limits, limits + 3);
    s.t_source = limits[0];
    s.t_download = limits[1];
    s.t_upload = limits[2];
    s.t_bound = *largest;
    s.binds = static_cast<limit>(largest - limits);
    return s;
}

best best_chunks(transfer job, double latency_ms) {
    if (!amount(job.size_gb) || !amount(job.link_gbps) || !counted(job.receivers) || !in(latency_ms, 1e-6, 1e9))
        return {};
    best b;
    b.floor = job.size_gb * 8 / job.link_gbps;
    b.latency = latency_ms * 1e-3;
    solve(chain(job.receivers), b.floor, b.latency, b.chain_real, b.chain_chunks, b.chain);
    solve(tree(job.receivers), b.floor, b.latency, b.tree_real, b.tree_chunks, b.tree);
    solve(optimum(job.receivers), b.floor, b.latency, b.optimum_real, b.optimum_chunks, b.optimum);
    return b;
}

rack_times rack_plans(double size_gb, double link_gbps, cluster site, std::int64_t chunks) {
    rack_times t;
    if (!amount(size_gb) || !amount(link_gbps) || !counted(chunks) || !in<std::int64_t>(site.racks, 1, 10'000'000) ||
        !in<std::int64_t>(site.workers, 1, 10'000'000) || !in(site.oversubscription, 1e-3, 1e3))
        return t;
    const double bits = size_gb * 8e9, link = link_gbps * 1e9,
                 uplink = link * static_cast<double>(site.workers) / site.oversubscription;
    const auto nodes = static_cast<double>(site.racks * site.workers), racks = static_cast<double>(site.racks),
               k = static_cast<double>(chunks);
    const double crossing = std::max(1 / link, 1 / uplink) * bits / k, inside = bits / k / link;
    t.uplink = uplink / 8;
    t.local_hop = inside;
    t.aware_bytes = bits / 8;
    t.aware_rate = std::min(link, uplink) / 8;
    t.aware_hop = crossing;
    t.aware_first = nodes * inside + racks * (crossing - inside);
    t.aware = t.aware_first + k * crossing - crossing;
    const double streams = site.racks == 1 ? 1.0 : static_cast<double>(site.workers);
    const double shared = std::max(1 / link, streams / uplink) * bits / k;
    t.blind_bytes = streams * bits / 8;
    t.blind_rate = std::min(link, uplink / streams) / 8;
    t.blind_hop = shared;
    const double inside_blind = site.racks == 1 ? inside : shared;
    t.blind = shared * k + (nodes - 1) * inside_blind;
    t.slowdown = t.blind / t.aware;
    return t;
}

} // namespace broadcast
