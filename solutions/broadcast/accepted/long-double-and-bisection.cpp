// Ceilings in place of floors, long double inside, the latest node of the tree by the heights of full subtrees, the
// best k by bisection on the difference of neighbours.
#include "contract.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>

namespace broadcast {

namespace {

using real = long double;
constexpr std::int64_t limit_of_counts = 1000000000000000LL;

bool ok(std::initializer_list<double> amounts, std::initializer_list<std::int64_t> counts) {
    for (const double x : amounts)
        if (std::isnan(x) || x < 1e-9 || x > 1e12) return false;
    for (const std::int64_t x : counts)
        if (x < 1 || x > limit_of_counts) return false;
    return true;
}

int ceil_log2(std::int64_t x) {
    int power = 0;
    while ((std::int64_t{1} << power) < x) ++power;
    return power;
}

// A heap of n nodes goes down to a last row. As long as the left subtree is not full, or the right one is as deep as
// it, the latest node is sought by comparing: a full subtree of height h ends 2h slots after its root.
std::int64_t latest(std::int64_t nodes) {
    std::int64_t slots = 0, best = 0;
    while (nodes > 1) {
        const int rows = ceil_log2(nodes + 1);                   // 2 or more
        const std::int64_t half = std::int64_t{1} << (rows - 2); // places of the left subtree in the last row
        const std::int64_t in_last = nodes - (2 * half - 1);
        if (in_last >= half) { // the left subtree is full, height rows - 2
            best = std::max(best, slots + 1 + 2 * (rows - 2));
            nodes = half - 1 + in_last - half;
            slots += nodes > 0 ? 2 : 0;
        } else { // the right one is full, height rows - 3, where there is one
            if (half > 1) best = std::max<std::int64_t>(best, slots + 2 + 2 * (rows - 3));
            nodes = half - 1 + in_last;
            slots += 1;
        }
        best = std::max(best, slots);
    }
    return best;
}

struct line {
    std::int64_t at_one, step; // slots with one chunk, and for each one more
    real slots(std::int64_t k) const {
        return static_cast<real>(at_one) + static_cast<real>(step) * static_cast<real>(k - 1);
    }
};
line chain_line(std::int64_t n) { return {n, 1}; }
line tree_line(std::int64_t n) { return {latest(n + 1), n == 1 ? 1 : 2}; }
line optimum_line(std::int64_t n) { return {ceil_log2(n + 1), 1}; }

// The least k from which one more chunk does not shorten the time.
std::int64_t least(line plan, real floor, real latency) {
    const real saved = static_cast<real>(plan.at_one - plan.step) * floor; // by T(k) - T(k + 1), times k(k + 1)
    std::int64_t low = 1, high = 1 << 20;
    while (low < high) {
        const std::int64_t k = (low + high) / 2;
        if (saved <= static_cast<real>(plan.step) * latency * static_cast<real>(k) * static_cast<real>(k + 1))
            high = k;
        else
            low = k + 1;
    }
    return low;
}

double time_of(line plan, std::int64_t k, real floor, real latency) {
    return static_cast<double>(plan.slots(k) * (latency + floor / static_cast<real>(k)));
}
double stationary(line plan, real floor, real latency) {
    return static_cast<double>(
        std::sqrt(static_cast<real>(plan.at_one - plan.step) * floor / (static_cast<real>(plan.step) * latency)));
}

} // namespace

plans plan_times(transfer job, std::int64_t chunks) {
    const std::int64_t n = job.receivers;
    if (!ok({job.size_gb, job.link_gbps}, {n, chunks})) return {};
    const real bytes = static_cast<real>(job.size_gb) * 1e9L, link = static_cast<real>(job.link_gbps) * 1e9L / 8;
    const real floor = bytes / link, k = static_cast<real>(chunks);
    const line chain = chain_line(n), tree = tree_line(n), optimum = optimum_line(n);
    plans p;
    p.bytes = static_cast<double>(bytes);
    p.link = static_cast<double>(link);
    p.floor = static_cast<double>(floor);
    p.source_bytes = static_cast<double>(bytes * static_cast<real>(n));
    p.naive = static_cast<double>(floor * static_cast<real>(n));
    p.rounds = ceil_log2(n + 1);
    p.binomial = static_cast<double>(floor * static_cast<real>(p.rounds));
    p.slot = static_cast<double>(floor / k);
    const auto whole = [&](line plan) { return plan.at_one + plan.step * (chunks - 1); };
    p.chain_slots = whole(chain), p.chain = time_of(chain, chunks, floor, 0);
    p.tree_first = tree.at_one, p.tree_slots = whole(tree), p.tree = time_of(tree, chunks, floor, 0);
    p.optimum_slots = whole(optimum), p.optimum = time_of(optimum, chunks, floor, 0);
    return p;
}

swarm swarm_bound(double size_gb, double source_gbps, tensor<const double, 1> upload_gbps,
                  tensor<const double, 1> download_gbps) {
    const std::int64_t n = static_cast<std::int64_t>(upload_gbps.extent(0));
    if (!ok({size_gb, source_gbps}, {n})) return {};
    real upload = source_gbps, download = std::numeric_limits<real>::infinity();
    for (int i = 0; i < n; ++i) {
        const double up = upload_gbps(i);
        if (!ok({download_gbps(i)}, {}) || !(up >= 0 && up <= 1e12)) return {};
        upload += up;
        download = std::fmin(download, static_cast<real>(download_gbps(i)));
    }
    const real gigabits = static_cast<real>(size_gb) * 8;
    swarm s;
    s.t_source = static_cast<double>(gigabits / source_gbps);
    s.t_download = static_cast<double>(gigabits / download);
    s.t_upload = static_cast<double>(gigabits * static_cast<real>(n) / upload);
    s.t_bound = std::fmax(s.t_source, std::fmax(s.t_download, s.t_upload));
    if (s.t_bound == s.t_source)
        s.binds = limit::source;
    else
        s.binds = s.t_bound == s.t_download ? limit::download : limit::upload;
    return s;
}

best best_chunks(transfer job, double latency_ms) {
    const std::int64_t n = job.receivers;
    if (!ok({job.size_gb, job.link_gbps}, {n}) || !(latency_ms >= 1e-6 && latency_ms <= 1e9)) return {};
    const real floor = static_cast<real>(job.size_gb) * 8 / job.link_gbps,
               latency = static_cast<real>(latency_ms) / 1000;
    const line chain = chain_line(n), tree = tree_line(n), optimum = optimum_line(n);
    best b;
    b.floor = static_cast<double>(floor), b.latency = static_cast<double>(latency);
    b.chain_real = stationary(chain, floor, latency), b.chain_chunks = least(chain, floor, latency);
    b.chain = time_of(chain, b.chain_chunks, floor, latency);
    b.tree_real = stationary(tree, floor, latency), b.tree_chunks = least(tree, floor, latency);
    b.tree = time_of(tree, b.tree_chunks, floor, latency);
    b.optimum_real = stationary(optimum, floor, latency), b.optimum_chunks = least(optimum, floor, latency);
    b.optimum = time_of(optimum, b.optimum_chunks, floor, latency);
    return b;
}

rack_times rack_plans(double size_gb, double link_gbps, cluster site, std::int64_t chunks) {
    const real over = site.oversubscription;
    if (!ok({size_gb, link_gbps}, {site.racks, site.workers, chunks}) || site.racks > 10000000 ||
        site.workers > 10000000 || !(over >= real(0.001) && over <= 1000))
        return {};
    const real file = static_cast<real>(size_gb) * 1e9L, link = static_cast<real>(link_gbps) * 1e9L / 8;
    const real k = static_cast<real>(chunks), racks = static_cast<real>(site.racks),
               workers = static_cast<real>(site.workers), uplink = workers * link / over;
    // A chain of hops: the first chunk takes all of them in turn, each later one the slowest.
    const auto first = [&](real crossings, real crossing) {
        return crossings * crossing + (racks * workers - crossings) * file / k / link;
    };
    const bool one = site.racks == 1;
    const real aware_rate = std::fmin(link, uplink), blind_rate = one ? aware_rate : std::fmin(link, uplink / workers);
    const real aware_hop = file / k / aware_rate, blind_hop = file / k / blind_rate;
    rack_times t;
    t.uplink = static_cast<double>(uplink);
    t.local_hop = static_cast<double>(file / k / link);
    t.aware_bytes = static_cast<double>(file);
    t.aware_rate = static_cast<double>(aware_rate);
    t.aware_hop = static_cast<double>(aware_hop);
    t.aware_first = static_cast<double>(first(racks, aware_hop));
    t.aware = static_cast<double>(first(racks, aware_hop) + (k - 1) * aware_hop);
    t.blind_bytes = static_cast<double>(one ? file : workers * file);
    t.blind_rate = static_cast<double>(blind_rate);
    t.blind_hop = static_cast<double>(blind_hop);
    t.blind = static_cast<double>(first(one ? 1 : racks * workers, blind_hop) + (k - 1) * blind_hop);
    t.slowdown = t.blind / t.aware;
    return t;
}

} // namespace broadcast
