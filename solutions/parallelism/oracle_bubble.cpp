// Level 5: the pipeline's bubble and what is live, in closed form.
#include "core/items.hpp"
#include "oracle.hpp"

#include <algorithm>
#include <assay/unset.hpp>
#include <cmath>

namespace assay::parallelism_judge {

namespace {

constexpr std::int64_t most = std::int64_t{1} << 53;

bool is_count(std::int64_t value, std::int64_t least) { return value >= least && value <= most; }

bool is_time(double value) { return value > 0 && std::isfinite(value); }

std::int64_t peak(const Problem& problem, const Slips& on) {
    const std::int64_t p = problem.integer("stages"), m = problem.integer("micro_batches"),
                       s = problem.integer("stage");
    const bool interleaves = problem.integer("kind") == 1;
    if (!interleaves && !on("gpipe-peak-as-1f1b")) return m;
    if (interleaves && on("1f1b-peak-as-gpipe")) return m;
    std::int64_t depth = p - s;
    if (on("peak-from-first-stage")) depth = s + 1;
    if (on("peak-without-stage")) depth = p;
    return on("peak-not-limited") ? depth : std::min(m, depth);
}

} // namespace

Truths bubble_truths(const Problem& problem, const Slips& on) {
    double useful = unset, idle = unset, makespan = unset, fraction = unset, peak_bytes = unset;
    std::int64_t live = unset_integer;
    const std::int64_t kind = problem.integer("kind"), of = problem.integer("of");
    const std::int64_t p = problem.integer("stages"), m = problem.integer("micro_batches"),
                       s = problem.integer("stage"), bytes = problem.integer("activation_bytes");
    const double forward = problem.number_or("forward_time", unset), back = problem.number_or("backward_time", unset);
    if (is_count(p, 1) && is_count(m, 1) && s >= 0 && s < p && is_count(bytes, 0) && is_time(forward) &&
        is_time(back) && (kind == 0 || kind == 1) && (of == 0 || of == 1)) {
        const double both = forward + (on("backward-as-forward") ? forward : back);
        useful = static_cast<double>(m) * both;
        const double steps = static_cast<double>(p) - (on("p-for-p-less-one") ? 0 : 1);
        idle = steps * (on("forward-bubble-only") ? forward : both);
        makespan = useful + idle;
        bool of_useful = of == 1;
        if (on("useful-for-total")) of_useful = true;
        if (on("total-for-useful")) of_useful = false;
        fraction = idle / (of_useful ? useful : makespan);
        live = peak(problem, on);
        peak_bytes = static_cast<double>(live) * static_cast<double>(bytes);
        if (on("int64-product"))
            peak_bytes = static_cast<double>(
                static_cast<std::int64_t>(static_cast<std::uint64_t>(live) * static_cast<std::uint64_t>(bytes)));
    }
    return Items()
        .number("useful", useful, "s")
        .number("idle", idle, "s")
        .number("makespan", makespan, "s")
        .number("fraction", fraction)
        .whole("peak_live", live)
        .number("peak_bytes", peak_bytes, "B")
        .take();
}

} // namespace assay::parallelism_judge
