// W crossings.
// Level: racks
#include "contract.hpp"

#include <algorithm>

namespace broadcast {

rack_times rack_plans(double size_gb, double link_gbps, cluster site, std::int64_t chunks) {
    const auto quantity = [](double x) { return x >= 1e-9 && x <= 1e12; };
    const auto some = [](std::int64_t x, std::int64_t most) { return x >= 1 && x <= most; };
    if (!quantity(size_gb) || !quantity(link_gbps) || !some(site.racks, 10'000'000) ||
        !some(site.workers, 10'000'000) || !some(chunks, 1'000'000'000'000'000) ||
        !(site.oversubscription >= 0.001 && site.oversubscription <= 1000))
        return {};
    const double bytes = size_gb * 1e9, link = link_gbps * 1e9 / 8, k = static_cast<double>(chunks);
    const double chunk = bytes / k, racks = static_cast<double>(site.racks),
                 workers = static_cast<double>(site.workers);
    const double nodes = racks * workers;
    rack_times t;
    t.uplink = workers * link / site.oversubscription;
    t.local_hop = chunk / link;
    t.aware_bytes = bytes;
    t.aware_rate = std::min(link, t.uplink);
    t.aware_hop = chunk / t.aware_rate;
    const double crossings = workers;
    t.aware_first = crossings * t.aware_hop + (nodes - crossings) * t.local_hop;
    t.aware = t.aware_first + (k - 1) * std::max(t.aware_hop, t.local_hop);
    const bool alternates = site.racks > 1;
    const double streams = alternates ? workers : 1;
    t.blind_bytes = streams * bytes;
    t.blind_rate = std::min(link, t.uplink / streams);
    t.blind_hop = chunk / t.blind_rate;
    t.blind = alternates ? (k + nodes - 1) * t.blind_hop : t.aware;
    t.slowdown = t.blind / t.aware;
    return t;
}

} // namespace broadcast
