// The load as a quotient of doubles.
// Level: capacity
#include "contract.hpp"

namespace batching {

capacity plan(service s) {
    const std::int64_t second = 1000000000, large = 1000000000000000;
    if (s.batch < 1 || s.batch > second || s.batch_time < 1 || s.batch_time > 3600 * second || s.wait < 0 ||
        s.wait > large || s.rate < 0 || s.rate > 1000000 || s.memory < 0 || s.memory > large || s.weights < 0 ||
        s.weights > large || s.request_bytes < 1 || s.request_bytes > large)
        return {};
    capacity c;
    const double time = double(s.batch_time) / 1e9;
    c.throughput = double(s.batch) / time;
    c.latency = double(s.wait) / 1e9 + time;
    c.replicas = std::int64_t(double(s.rate) / c.throughput) + 1;
    c.utilisation = double(s.rate) / (double(c.replicas) * c.throughput);
    const std::int64_t space = s.memory - s.weights;
    c.largest_batch = space < 0 ? 0 : space / s.request_bytes;
    c.largest_throughput = double(c.largest_batch) / time;
    return c;
}

} // namespace batching
