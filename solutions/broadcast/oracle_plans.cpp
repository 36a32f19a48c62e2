// Level 1: the plans in slots, and their times.
#include "core/items.hpp"
#include "oracle_routes.hpp"

#include <algorithm>
#include <assay/unset.hpp>
#include <bit>
#include <cmath>

namespace assay::broadcast_judge {

namespace {

/// Products as a 64-bit register keeps them: mistakes overflow where the truth does not.
std::int64_t wrapped(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

/// The two-child tree of n >= 1 nodes in heap order, 1 the root. Node v has the first chunk after one slot for each
/// step to the left on its way and two for each to the right: floor(log2 v) + popcount(v) - 1. The latest is all to the
/// right in the last full row, 2(d - 1), or in the row below, where x = v - 2^d <= n - 2^d has at most
/// floor(log2(n + 1 - 2^d)) ones.
std::int64_t first_in_tree(std::int64_t nodes, const Slips& on) {
    const int d = log2_floor(nodes);
    if (on("uplink-not-shared")) return d;
    if (on("two-slots-a-level", 0)) return nodes == 2 ? 1 : 2 * d;
    if (on("two-slots-a-level", 1)) return 2 * d; // of one receiver too, in 2(k - 1) + 2 slots
    if (on("right-child-as-fast")) return d;
    if (on("last-node-last")) return d + std::popcount(static_cast<std::uint64_t>(nodes)) - 1;
    return std::max(2 * (d - 1), d + log2_floor(nodes + 1 - (std::int64_t{1} << d)));
}

std::int64_t slots_of(const Pipeline& plan, std::int64_t chunks, const Slips& on) {
    std::int64_t wait = plan.extra;
    if (on("depth-per-file")) wait = wrapped(wait, chunks);
    if (on("fill-ignored")) wait = 0;
    const std::int64_t slots = plan.pace * chunks + wait;
    return on("int32", 0) ? static_cast<std::int32_t>(slots) : slots;
}

std::int64_t rounds_of(std::int64_t receivers, const Slips& on) {
    if (on("log2-of-n")) return receivers == 1 ? 0 : log2_floor(receivers - 1) + 1;
    if (on("rounds-truncated")) return log2_floor(receivers + 1);
    if (on("log2-rounded")) return static_cast<std::int64_t>(std::ceil(std::log2(static_cast<double>(receivers + 1))));
    return log2_floor(receivers) + 1;
}

Truths nothing() {
    return Items()
        .number("bytes", unset, "B")
        .number("link", unset, "B/s")
        .number("floor", unset, "s")
        .number("source_bytes", unset, "B")
        .number("naive", unset, "s")
        .whole("rounds", unset_integer)
        .number("binomial", unset, "s")
        .number("slot", unset, "s")
        .whole("chain_slots", unset_integer)
        .number("chain", unset, "s")
        .whole("tree_first", unset_integer)
        .whole("tree_slots", unset_integer)
        .number("tree", unset, "s")
        .whole("optimum_slots", unset_integer)
        .number("optimum", unset, "s")
        .take();
}

bool answerable(const Problem& problem, const Slips& on) {
    for (const char* name : {"size_gb", "link_gbps"}) {
        const double x = number(problem, name);
        if (!within(x, least, most) && !(on("nan-let-through") && std::isnan(x))) return false;
    }
    return within(problem.integer("receivers"), 1, most_count) && within(problem.integer("chunks"), 1, most_count);
}

} // namespace

double bytes_of(double gigabytes, const Slips& on) { return gigabytes * (on("gib-for-gb") ? 0x1p30 : 1e9); }
double rate_of(double gigabits, const Slips& on) { return gigabits * 1e9 / (on("bits-for-bytes") ? 1 : 8); }

int log2_floor(std::int64_t x) { return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(x))) - 1; }

std::int64_t receivers_of(const Problem& problem, const Slips& on) {
    const int form = on.form("source-as-receiver");
    return problem.integer("receivers") + (form == 0 ? -1 : form == 1 ? 1 : 0);
}

Pipelines pipelines(std::int64_t receivers, const Slips& on) {
    Pipelines plans;
    plans.chain = {1, receivers - 1};
    plans.optimum = {1, log2_floor(receivers)};

    const bool apart = on("root-is-a-receiver"); // the source feeds a tree of the receivers alone
    const std::int64_t most_children = receivers - (apart ? 1 : 0);
    const bool shared = most_children > 1 || on("lone-child-halved") || on("two-slots-a-level", 1);
    plans.tree.pace = shared && !on("uplink-not-shared") ? 2 : 1;
    const std::int64_t first = apart ? 1 + first_in_tree(receivers, on) : first_in_tree(receivers + 1, on);
    plans.tree.extra = first - plans.tree.pace;

    const int twice = on.form("first-chunk-twice");
    if (twice == 0 || twice == 3) plans.chain.extra += 1;
    if (twice == 1 || twice == 3) plans.tree.extra += plans.tree.pace;
    if (twice == 2 || twice == 3) plans.optimum.extra += 1;
    return plans;
}

Truths plan_times(const Problem& problem, const Slips& on) {
    if (!answerable(problem, on)) return nothing();
    const std::int64_t n = receivers_of(problem, on), k = problem.integer("chunks");
    const double bytes = bytes_of(number(problem, "size_gb"), on), link = rate_of(number(problem, "link_gbps"), on);
    const double floor = bytes / link, slot = floor / static_cast<double>(k);
    double source_bytes = bytes * static_cast<double>(n);
    if (on("int64") && std::isfinite(bytes))
        source_bytes = static_cast<double>(wrapped(static_cast<std::int64_t>(bytes), n));
    if (on("uplink-not-shared", 1)) source_bytes = bytes;
    const std::int64_t rounds = rounds_of(n, on);
    const Pipelines plans = pipelines(n, on);
    const std::int64_t chain = slots_of(plans.chain, k, on), tree = slots_of(plans.tree, k, on),
                       optimum = slots_of(plans.optimum, k, on);
    // The first chunk's arrival as such: that it is counted twice shows in the slots alone.
    const bool twice = on("first-chunk-twice", 1) || on("first-chunk-twice", 3);
    const std::int64_t tree_first = plans.tree.first() - (twice ? plans.tree.pace : 0);
    const double relayed = on("duplex-halved") ? 2 : 1;
    const auto time = [&](std::int64_t slots) { return static_cast<double>(slots) * slot * relayed; };
    return Items()
        .number("bytes", bytes, "B")
        .number("link", link, "B/s")
        .number("floor", floor, "s")
        .number("source_bytes", source_bytes, "B")
        .number("naive", source_bytes / link, "s")
        .whole("rounds", rounds)
        .number("binomial", static_cast<double>(rounds) * floor, "s")
        .number("slot", slot, "s")
        .whole("chain_slots", chain)
        .number("chain", time(chain), "s")
        .whole("tree_first", tree_first)
        .whole("tree_slots", tree)
        .number("tree", time(tree), "s")
        .whole("optimum_slots", optimum)
        .number("optimum", time(optimum), "s")
        .take();
}

} // namespace assay::broadcast_judge
