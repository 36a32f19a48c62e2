// Level 3: two chains through racks whose uplinks are narrower than their workers' links together.
#include "core/items.hpp"
#include "oracle_routes.hpp"

#include <algorithm>
#include <assay/unset.hpp>

namespace assay::broadcast_judge {

namespace {

constexpr std::int64_t most_racks = 10'000'000;
constexpr double least_oversubscription = 0.001, most_oversubscription = 1000;

double uplink_of(double link, double workers, double oversubscription, const Slips& on) {
    if (on("oversubscription-ignored")) oversubscription = 1;
    if (on("oversubscription-inverted")) oversubscription = 1 / oversubscription;
    if (on("uplink-of-one-worker")) workers = 1;
    return workers * link / oversubscription;
}

} // namespace

Truths rack_plans(const Problem& problem, const Slips& on) {
    const std::int64_t racks = problem.integer("racks"), workers = problem.integer("workers"),
                       chunks = problem.integer("chunks");
    const double oversubscription = number(problem, "oversubscription");
    const bool fine = within(number(problem, "size_gb"), least, most) &&
                      within(number(problem, "link_gbps"), least, most) && within(racks, 1, most_racks) &&
                      within(workers, 1, most_racks) && within(chunks, 1, most_count) &&
                      within(oversubscription, least_oversubscription, most_oversubscription);
    double uplink = unset, local_hop = unset, slowdown = unset;
    struct {
        double bytes = unset, rate = unset, hop = unset, first = unset, time = unset;
    } aware, blind;

    if (fine) {
        const auto R = static_cast<double>(racks), W = static_cast<double>(workers), k = static_cast<double>(chunks);
        const std::int64_t product = racks * workers;
        const auto n = static_cast<double>(on("int32", 1) ? static_cast<std::int32_t>(product) : product);
        const double bytes = bytes_of(number(problem, "size_gb"), on), link = rate_of(number(problem, "link_gbps"), on),
                     chunk = bytes / k;
        uplink = uplink_of(link, W, oversubscription, on);
        local_hop = chunk / (on("narrow-inside") ? link / oversubscription : link);
        const auto stream = [&](double copies) {
            const double share = uplink / copies;
            return on("link-forgotten") ? share : std::min(link, share);
        };

        const double copies = on("copy-per-worker", 0) ? W : 1;
        aware.bytes = bytes * copies;
        aware.rate = stream(copies);
        aware.hop = chunk / aware.rate;
        const double crossings = on("source-in-a-rack") ? R - 1 : on("workers-for-racks") ? W : R;
        aware.first = on("slowest-everywhere") ? n * aware.hop : crossings * aware.hop + (n - crossings) * local_hop;
        const double pace = on("slowest-ignored") ? local_hop : std::max(aware.hop, local_hop);
        aware.time = aware.first + (k - 1) * pace;

        const bool alternates = racks > 1 || on("one-rack-alternates");
        const double streams = alternates ? W : 1;
        blind.bytes = bytes * streams;
        blind.rate = stream(on("uplink-not-divided") ? 1 : streams);
        blind.hop = chunk / blind.rate;
        blind.time = alternates ? (k + n - 1) * blind.hop : aware.time;
        slowdown = blind.time / aware.time;
    }
    return Items()
        .number("uplink", uplink, "B/s")
        .number("local_hop", local_hop, "s")
        .number("aware_bytes", aware.bytes, "B")
        .number("aware_rate", aware.rate, "B/s")
        .number("aware_hop", aware.hop, "s")
        .number("aware_first", aware.first, "s")
        .number("aware", aware.time, "s")
        .number("blind_bytes", blind.bytes, "B")
        .number("blind_rate", blind.rate, "B/s")
        .number("blind_hop", blind.hop, "s")
        .number("blind", blind.time, "s")
        .number("slowdown", slowdown)
        .take();
}

} // namespace assay::broadcast_judge
