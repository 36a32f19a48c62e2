// Level 3: a load test without an event queue (the queue has no bound, so that each batch follows from the one before),
// its percentiles, and the search for a timeout.
#include "core/items.hpp"
#include "oracle.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

namespace assay::batching_judge {

namespace {

constexpr std::int64_t none = -1; // no timeout meets the SLO

struct Load {
    std::vector<Time> latencies;
    std::int64_t batches = 0;
};

Load serve(std::span<const Time> arrivals, std::int64_t max_batch, Time timeout, Time batch_time, const Slips& on) {
    Load load;
    Time free = 0;
    for (std::size_t head = 0; head < arrivals.size();) {
        const std::size_t fills = head + static_cast<std::size_t>(max_batch) - 1;
        const bool may_fill = max_batch <= static_cast<std::int64_t>(arrivals.size()) && fills < arrivals.size();
        Time due = on("fires-at-once") ? arrivals[head] : arrivals[head] + timeout;
        if (on("timer-restarted")) // by every arrival until it goes off on a free accelerator
            for (std::size_t i = head + 1; i < arrivals.size() && arrivals[i] <= std::max(due, free); ++i)
                due = arrivals[i] + timeout;
        if (on("timer-from-completion")) due = std::max(due, free + (head == 0 ? 0 : timeout));
        const Time at = std::max(free, may_fill && !on("full-ignored", 0) ? std::min(due, arrivals[fills]) : due);
        std::size_t end = head;
        while (end < arrivals.size() && end - head < static_cast<std::size_t>(max_batch) && arrivals[end] <= at) ++end;
        free = at + batch_time;
        const Time answered = on("own-time-left-out") ? at : on("batch-time-twice") ? free + batch_time : free;
        for (; head < end; ++head) load.latencies.push_back(answered - arrivals[head]);
        ++load.batches;
    }
    return load;
}

/// The p-th percentile by nearest rank: the smallest latency that at least p % of all do not exceed.
std::int64_t percentile(std::vector<Time> all, std::int64_t p, const Slips& on) {
    const auto n = static_cast<std::int64_t>(all.size());
    if (!on("not-sorted")) std::sort(all.begin(), all.end());
    std::int64_t rank = (p * n + 99) / 100;
    if (on("rank-one-high")) rank = std::min(n, p * n / 100 + 1);
    if (on("rank-rounded-down")) rank = std::max<std::int64_t>(1, p * n / 100);
    if (on("interpolated")) {
        const std::int64_t below = p * (n - 1) / 100, rest = p * (n - 1) % 100;
        const Time low = all[static_cast<std::size_t>(below)];
        const Time high = all[static_cast<std::size_t>(std::min(below + 1, n - 1))];
        return low + (high - low) * rest / 100;
    }
    return all[static_cast<std::size_t>(rank - 1)];
}

Time sum_of(const Load& load) { return std::accumulate(load.latencies.begin(), load.latencies.end(), Time{0}); }

} // namespace

Truths load_test_truths(const Problem& problem, const Slips& on) {
    const std::vector<Time> arrivals = integers_of(problem, "arrivals");
    const Load load =
        serve(arrivals, problem.integer("max_batch"), problem.integer("timeout"), problem.integer("batch_time"), on);
    const auto n = static_cast<std::int64_t>(arrivals.size());
    std::vector<double> latencies;
    for (const Time latency : load.latencies) latencies.push_back(static_cast<double>(latency));
    return Items()
        .whole("p50", percentile(load.latencies, 50, on), "ns")
        .whole("p95", percentile(load.latencies, 95, on), "ns")
        .whole("p99", percentile(load.latencies, 99, on), "ns")
        .whole("largest", *std::max_element(load.latencies.begin(), load.latencies.end()), "ns")
        .number("mean", static_cast<double>(sum_of(load)) / static_cast<double>(n), "ns", 32 + static_cast<double>(n))
        .whole("batches", load.batches)
        .tensor("latencies", {n}, std::move(latencies), std::vector<double>(arrivals.size(), 0), Dtype::i64)
        .take();
}

Truths best_timeout_truths(const Problem& problem, const Slips& on) {
    const std::vector<Time> arrivals = integers_of(problem, "arrivals");
    const std::int64_t slo = problem.integer("slo");
    struct Tried {
        Time timeout, p99;
        std::int64_t batches;
    };
    std::optional<Tried> best;
    for (const Time timeout : integers_of(problem, "timeouts")) {
        const Load load = serve(arrivals, problem.integer("max_batch"), timeout, problem.integer("batch_time"), on);
        const Tried tried{timeout, percentile(load.latencies, 99, on), load.batches};
        Time held = tried.p99;
        if (on("mean-held-to-slo")) held = sum_of(load) / static_cast<Time>(arrivals.size());
        if (on("median-held-to-slo")) held = percentile(load.latencies, 50, on);
        const bool meets = on("slo-strict") ? held < slo : held <= slo;
        if (!meets && on("p99-taken-to-rise")) break;
        if (!meets) continue;
        bool better = !best || tried.batches < best->batches;
        if (on("first-that-meets") && best) better = false;
        if (on("largest-that-meets")) better = true;
        if (on("lowest-p99")) better = !best || tried.p99 < best->p99;
        if (better) best = tried;
    }
    return Items()
        .whole("timeout", best ? best->timeout : none, "ns")
        .whole("p99", best ? best->p99 : none, "ns")
        .whole("batches", best ? best->batches : none)
        .take();
}

} // namespace assay::batching_judge
