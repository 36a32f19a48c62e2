// Linear interpolation, the default of numpy.percentile.
// Level: slo
#include "contract.hpp"

#include <algorithm>
#include <vector>

namespace batching {

namespace {

struct load {
    std::vector<std::int64_t> latencies;
    std::int64_t batches = 0;
};

load serve(tensor<const std::int64_t, 1> arrivals, std::int64_t max_batch, std::int64_t timeout,
           std::int64_t batch_time) {
    load result;
    std::int64_t free = 0;
    for (std::int64_t head = 0; head < arrivals.extent(0);) {
        std::int64_t at = arrivals(head) + timeout;
        if (head + max_batch <= arrivals.extent(0)) at = std::min(at, arrivals(head + max_batch - 1));
        at = std::max(at, free);
        free = at + batch_time;
        for (std::int64_t n = 0; n < max_batch && head < arrivals.extent(0) && arrivals(head) <= at; ++n, ++head)
            result.latencies.push_back(free - arrivals(head));
        ++result.batches;
    }
    return result;
}

std::int64_t percentile(std::vector<std::int64_t> all, std::int64_t p) {
    std::sort(all.begin(), all.end());
    const std::int64_t n = std::int64_t(all.size());
    const std::int64_t below = p * (n - 1) / 100, rest = p * (n - 1) % 100;
    const std::int64_t low = all[std::size_t(below)], high = all[std::size_t(std::min(below + 1, n - 1))];
    return low + (high - low) * rest / 100;
}

double mean_of(const std::vector<std::int64_t>& all) {
    std::int64_t sum = 0;
    for (const std::int64_t one : all) sum += one;
    return double(sum) / double(all.size());
}

} // namespace

percentiles load_test(tensor<const std::int64_t, 1> arrivals, std::int64_t max_batch, std::int64_t timeout,
                      std::int64_t batch_time, tensor<std::int64_t, 1> latencies) {
    const load r = serve(arrivals, max_batch, timeout, batch_time);
    for (std::size_t i = 0; i < r.latencies.size(); ++i) latencies(i) = r.latencies[i];
    return {percentile(r.latencies, 50), percentile(r.latencies, 95),
            percentile(r.latencies, 99), *std::max_element(r.latencies.begin(), r.latencies.end()),
            mean_of(r.latencies),        r.batches};
}

choice best_timeout(tensor<const std::int64_t, 1> arrivals, tensor<const std::int64_t, 1> timeouts,
                    std::int64_t max_batch, std::int64_t batch_time, std::int64_t slo) {
    choice best{-1, -1, -1};
    for (std::ptrdiff_t i = 0; i < timeouts.extent(0); ++i) {
        const load r = serve(arrivals, max_batch, timeouts(i), batch_time);
        const std::int64_t p99 = percentile(r.latencies, 99);
        if (p99 > slo) continue;
        if (best.timeout < 0 || r.batches < best.batches) best = {timeouts(i), p99, r.batches};
    }
    return best;
}

} // namespace batching
