// The tree by recursion on its subtrees, rounds by doubling, the best k by trying all of them, racks hop by hop in
// groups.
#include "contract.hpp"

namespace broadcast {

namespace {

using count = std::int64_t;

bool bad(double x) { return !(x >= 1e-9) || !(x <= 1e12); }
bool bad(count n) { return n < 1 || n > 1000000000000000; }

// Rounds in which whole copies spread: each node that has one makes another.
count rounds_for(count receivers) {
    count rounds = 0;
    for (count have = 1; have < receivers + 1; have *= 2) ++rounds;
    return rounds;
}

// Slots until the last node of a heap of n has the first chunk: a slot to the left child, two to the right.
count first_chunk(count n) {
    if ((n & (n + 1)) == 0) return n <= 1 ? 0 : 2 + first_chunk(n / 2); // full: to the right all the way
    if (n == 2) return 1;
    count full = 1; // nodes of a full tree of the heap's rows without the last
    while (2 * full + 1 < n) full = 2 * full + 1;
    const count last_row = n - full, half = (full + 1) / 2;
    const count left = (full - 1) / 2 + (last_row < half ? last_row : half), right = n - 1 - left;
    const count a = 1 + first_chunk(left), b = 2 + first_chunk(right);
    return a > b ? a : b;
}

count chain_slots(count n, count k) { return n + k - 1; }
count tree_slots(count n, count k) { return n == 1 ? k : first_chunk(n + 1) + 2 * (k - 1); }
count optimum_slots(count n, count k) { return k - 1 + rounds_for(n); }

struct found {
    count k;
    double time;
};

found scan(count (*slots)(count, count), count n, double floor, double latency) {
    const count extra = slots(n, 1); // slots(n, k) is linear in k
    const count pace = slots(n, 2) - extra;
    found best{1, static_cast<double>(extra) * (latency + floor)};
    for (count k = 2; k <= 100002; ++k) {
        const double time = static_cast<double>(extra + pace * (k - 1)) * (latency + floor / static_cast<double>(k));
        if (time < best.time) best = {k, time};
    }
    return best;
}

double real_of(count (*slots)(count, count), count n, double floor, double latency) {
    const double first = static_cast<double>(slots(n, 1)), pace = static_cast<double>(slots(n, 2)) - first;
    return __builtin_sqrt((first - pace) / pace * (floor / latency));
}

} // namespace

plans plan_times(transfer job, std::int64_t chunks) {
    const count n = job.receivers;
    if (bad(job.size_gb) || bad(job.link_gbps) || bad(n) || bad(chunks)) return {};
    plans p;
    p.bytes = 1e9 * job.size_gb;
    p.link = 1.25e8 * job.link_gbps;
    p.floor = p.bytes / p.link;
    p.source_bytes = static_cast<double>(n) * p.bytes;
    p.naive = static_cast<double>(n) * p.floor;
    p.rounds = rounds_for(n);
    p.binomial = p.floor * static_cast<double>(p.rounds);
    const double k = static_cast<double>(chunks);
    p.slot = p.bytes / k / p.link;
    p.chain_slots = chain_slots(n, chunks);
    p.chain = p.floor * static_cast<double>(p.chain_slots) / k;
    p.tree_first = first_chunk(n + 1);
    p.tree_slots = tree_slots(n, chunks);
    p.tree = p.floor * static_cast<double>(p.tree_slots) / k;
    p.optimum_slots = optimum_slots(n, chunks);
    p.optimum = p.floor * static_cast<double>(p.optimum_slots) / k;
    return p;
}

swarm swarm_bound(double size_gb, double source_gbps, tensor<const double, 1> upload_gbps,
                  tensor<const double, 1> download_gbps) {
    const int n = static_cast<int>(upload_gbps.extent(0));
    if (bad(size_gb) || bad(source_gbps) || n == 0) return {};
    const double gigabits = 8 * size_gb;
    double uploads = 0, t_download = 0;
    for (int i = 0; i < n; ++i) {
        const double up = upload_gbps(i), down = download_gbps(i);
        if (!(up >= 0) || up > 1e12 || bad(down)) return {};
        uploads += up;
        if (gigabits / down > t_download) t_download = gigabits / down;
    }
    swarm s{gigabits / source_gbps, t_download, gigabits * n / (source_gbps + uploads), 0, limit::source};
    s.t_bound = s.t_source;
    if (s.t_download > s.t_bound) s.t_bound = s.t_download, s.binds = limit::download;
    if (s.t_upload > s.t_bound) s.t_bound = s.t_upload, s.binds = limit::upload;
    return s;
}

best best_chunks(transfer job, double latency_ms) {
    const count n = job.receivers;
    if (bad(job.size_gb) || bad(job.link_gbps) || bad(n) || !(latency_ms >= 1e-6) || latency_ms > 1e9) return {};
    best b;
    b.floor = job.size_gb * 8 / job.link_gbps;
    b.latency = latency_ms / 1e3;
    b.chain_real = real_of(chain_slots, n, b.floor, b.latency);
    b.tree_real = real_of(tree_slots, n, b.floor, b.latency);
    b.optimum_real = real_of(optimum_slots, n, b.floor, b.latency);
    const found chain = scan(chain_slots, n, b.floor, b.latency), tree = scan(tree_slots, n, b.floor, b.latency),
                optimum = scan(optimum_slots, n, b.floor, b.latency);
    b.chain_chunks = chain.k;
    b.chain = chain.time;
    b.tree_chunks = tree.k;
    b.tree = tree.time;
    b.optimum_chunks = optimum.k;
    b.optimum = optimum.time;
    return b;
}

rack_times rack_plans(double size_gb, double link_gbps, cluster site, std::int64_t chunks) {
    const double o = site.oversubscription;
    if (bad(size_gb) || bad(link_gbps) || bad(chunks) || site.racks < 1 || site.racks > 10000000 || site.workers < 1 ||
        site.workers > 10000000 || !(o >= 0.001 && o <= 1000))
        return {};
    const double bytes = size_gb * 1e9, link = link_gbps * 1.25e8, k = static_cast<double>(chunks);
    const double R = static_cast<double>(site.racks), W = static_cast<double>(site.workers);
    rack_times t;
    t.uplink = link / o * W;
    t.local_hop = bytes / link / k;
    t.aware_bytes = bytes;
    t.aware_rate = t.uplink > link ? link : t.uplink;
    t.aware_hop = bytes / t.aware_rate / k;
    // Each rack is one crossing and workers - 1 hops inside.
    t.aware_first = R * (t.aware_hop + (W - 1) * t.local_hop);
    t.aware = t.aware_first + t.aware_hop * (k - 1);
    if (site.racks == 1) {
        t.blind_bytes = t.aware_bytes;
        t.blind_rate = t.aware_rate;
        t.blind_hop = t.aware_hop;
        t.blind = t.aware;
        t.slowdown = 1;
        return t;
    }
    t.blind_bytes = bytes * W;
    t.blind_rate = o > 1 ? link / o : link; // uplink / workers is link / o
    t.blind_hop = bytes / t.blind_rate / k;
    t.blind = t.blind_hop * (R * W) + t.blind_hop * (k - 1);
    t.slowdown = t.blind / t.aware;
    return t;
}

} // namespace broadcast
