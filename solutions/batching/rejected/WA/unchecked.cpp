// Guards its divisors alone.
// Level: capacity
#include "contract.hpp"

namespace batching {

capacity plan(service s) {
    const std::int64_t second = 1000000000;
    if (s.batch == 0 || s.batch_time == 0 || s.request_bytes == 0) return {};
    capacity c;
    const double time = double(s.batch_time) / 1e9;
    c.throughput = double(s.batch) / time;
    c.latency = double(s.wait) / 1e9 + time;
    c.replicas = s.rate * s.batch_time / (s.batch * second) + 1;
    c.utilisation = double(s.rate) / (double(c.replicas) * c.throughput);
    const std::int64_t space = s.memory - s.weights;
    c.largest_batch = space < 0 ? 0 : space / s.request_bytes;
    c.largest_throughput = double(c.largest_batch) / time;
    return c;
}

} // namespace batching
