// Your attempt at `batching`. README.md beside this file says what is asked; contract.hpp has the exact types.
//
// Everything here compiles and runs, and is wrong from level 1 on. Any standard header is welcome.
#include "contract.hpp"

namespace batching {

// Level 1: throughput, latency, replicas, utilisation, largest_batch, largest_throughput.
capacity plan(service s) {
    // Times are in ns, memory in bytes; invalid input gets {}.
    return {};
}

namespace {

// Level 2. The judge calls these as things happen. A batch is fired by pushing its requests to `batch`, in order, and
// setting `fire`.
class my_batcher : public batcher {
  public:
    explicit my_batcher(settings s) : settings_(s) {}

    decision on_arrival(std::int64_t now, std::int64_t request, std::int64_t length,
                        list<std::int64_t>& batch) override {
        return {};
    }
    decision on_completion(std::int64_t now, ending how, list<answer>& answers, list<std::int64_t>& given_up,
                           list<std::int64_t>& batch) override {
        // answers.push({0, request}): row 0 answers that request.
        return {};
    }
    decision on_timer(std::int64_t now, list<std::int64_t>& batch) override { return {}; }

  private:
    settings settings_;
};

} // namespace

batcher* make_batcher(settings s) { return new my_batcher(s); }

// Level 3: latencies, and p50, p95, p99, largest, mean, batches.
percentiles load_test(tensor<const std::int64_t, 1> arrivals, std::int64_t max_batch, std::int64_t timeout,
                      std::int64_t batch_time, tensor<std::int64_t, 1> latencies) {
    return {};
}

// Level 3: of `timeouts`, the one with the fewest batches whose p99 is at most the SLO.
choice best_timeout(tensor<const std::int64_t, 1> arrivals, tensor<const std::int64_t, 1> timeouts,
                    std::int64_t max_batch, std::int64_t batch_time, std::int64_t slo) {
    return {};
}

// Level 4: a class of its own, or the same one that knows more.
batcher* make_resilient_batcher(settings s) { return new my_batcher(s); }

// Level 5: tokens, then steps, utilisation and mean of both ways, and the speedup.
generation compare(tensor<const std::int64_t, 1> lengths, std::int64_t slots) { return {}; }

} // namespace batching
