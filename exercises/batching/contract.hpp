// What an attempt at `batching` defines. README.md says what each number means and what happens in which order.
//
// Times are whole nanoseconds. Levels 1, 3 and 5 are functions; levels 2 and 4 ask for a batcher, an object that the
// judge drives on a virtual clock.
#ifndef BATCHING_CONTRACT_HPP
#define BATCHING_CONTRACT_HPP

#include <assay/list.hpp>
#include <assay/tensor.hpp>
#include <assay/unset.hpp>
#include <cstdint>

namespace batching {

using assay::list;
using assay::tensor;
using assay::unset;
using assay::unset_integer;

// Level 1. On invalid input return {}: every item stays unset.
struct service {
    std::int64_t batch;         // requests in a full batch, 1 ... 10^9
    std::int64_t batch_time;    // ns that a batch takes, whatever its size, 1 ... 3.6 10^12
    std::int64_t wait;          // ns that a request waits before its batch starts, 0 ... 10^15
    std::int64_t rate;          // requests that arrive in a second, 0 ... 10^6
    std::int64_t memory;        // bytes of the accelerator, 0 ... 10^15
    std::int64_t weights;       // bytes of the model, once a replica, 0 ... 10^15
    std::int64_t request_bytes; // bytes a request of the batch takes, 1 ... 10^15
};

struct capacity {
    double throughput = unset;                  // requests a second of one replica
    double latency = unset;                     // s from arrival to answer
    std::int64_t replicas = unset_integer;      // the least number whose capacity is above the rate
    double utilisation = unset;                 // share of those replicas' capacity that the rate takes
    std::int64_t largest_batch = unset_integer; // requests that fit beside the weights, 0 where none does
    double largest_throughput = unset;          // requests a second of one replica with batches of that size
};

capacity plan(service s);

// Levels 2 and 4: the batcher.
struct settings {
    std::int64_t max_batch;    // requests in one batch at most, >= 1
    std::int64_t timeout;      // ns that the oldest waiting request waits at most while the accelerator is free, >= 0
    std::int64_t queue;        // requests that may wait, >= max_batch; those in flight do not count
    std::int64_t token_budget; // level 4: requests of a batch times the longest length in it, at most
};

inline constexpr std::int64_t never = std::int64_t{1} << 62;
inline constexpr std::int64_t keep = -1;

// What the batcher decides at one event.
struct decision {
    bool fire = false;        // start what the batch list holds
    bool reject = false;      // on_arrival only: this request is turned away
    std::int64_t wake = keep; // when on_timer is next due: a time sets the one alarm there is, `never` clears it
};

// Row `row` of the batch that has come back answers request `request`.
struct answer {
    std::int64_t row, request;
};

enum class ending : std::int64_t {
    done,            // every row was computed
    bad_input,       // level 4: no row was; at least one request of the batch is poison
    accelerator_lost // level 4: no row was; the accelerator died, and another has taken its place
};

class batcher {
  public:
    virtual ~batcher() = default;

    // A request arrives, with its length in tokens (1 in level 2).
    virtual decision on_arrival(std::int64_t now, std::int64_t request, std::int64_t length,
                                list<std::int64_t>& batch) = 0;
    // The batch in flight has ended; the accelerator is free.
    virtual decision on_completion(std::int64_t now, ending how, list<answer>& answers, list<std::int64_t>& given_up,
                                   list<std::int64_t>& batch) = 0;
    // The alarm that a decision has set.
    virtual decision on_timer(std::int64_t now, list<std::int64_t>& batch) = 0;
};

batcher* make_batcher(settings s);           // level 2
batcher* make_resilient_batcher(settings s); // level 4

// Level 3. arrivals (R), in order, R >= 1; latencies (R); timeouts (T), rising, T >= 1. The queue has no bound here.
struct percentiles {
    std::int64_t p50 = unset_integer, p95 = unset_integer, p99 = unset_integer; // ns, nearest rank
    std::int64_t largest = unset_integer;                                       // ns
    double mean = unset;                                                        // ns
    std::int64_t batches = unset_integer;                                       // fired in all
};

percentiles load_test(tensor<const std::int64_t, 1> arrivals, std::int64_t max_batch, std::int64_t timeout,
                      std::int64_t batch_time, tensor<std::int64_t, 1> latencies);

struct choice {                           // -1 throughout where no timeout meets the SLO
    std::int64_t timeout = unset_integer; // ns, of those offered
    std::int64_t p99 = unset_integer;     // ns, under it
    std::int64_t batches = unset_integer; // under it
};

choice best_timeout(tensor<const std::int64_t, 1> arrivals, tensor<const std::int64_t, 1> timeouts,
                    std::int64_t max_batch, std::int64_t batch_time, std::int64_t slo);

// Level 5. lengths (R): tokens that each request generates, >= 1, R >= 1; all of them wait at the start. slots >= 1.
struct generation {
    std::int64_t tokens = unset_integer;         // generated in all
    std::int64_t whole_steps = unset_integer;    // steps until all are answered, batch by batch
    double whole_utilisation = unset;            // share of slot-steps that generate a token
    double whole_mean = unset;                   // mean steps from the start to a request's answer
    std::int64_t per_step_steps = unset_integer; // the same three, batched per step
    double per_step_utilisation = unset;
    double per_step_mean = unset;
    double speedup = unset; // whole_steps / per_step_steps
};

generation compare(tensor<const std::int64_t, 1> lengths, std::int64_t slots);

} // namespace batching

#define ASSAY_RECORDS(RECORD)                                                                                          \
    RECORD(batching, service, batch, batch_time, wait, rate, memory, weights, request_bytes)                           \
    RECORD(batching, capacity, throughput, latency, replicas, utilisation, largest_batch, largest_throughput)          \
    RECORD(batching, settings, max_batch, timeout, queue, token_budget)                                                \
    RECORD(batching, decision, fire, reject, wake)                                                                     \
    RECORD(batching, answer, row, request)                                                                             \
    RECORD(batching, percentiles, p50, p95, p99, largest, mean, batches)                                               \
    RECORD(batching, choice, timeout, p99, batches)                                                                    \
    RECORD(batching, generation, tokens, whole_steps, whole_utilisation, whole_mean, per_step_steps,                   \
           per_step_utilisation, per_step_mean, speedup)

#define ASSAY_CONSTANTS(CONSTANT) CONSTANT(batching, never) CONSTANT(batching, keep)
#define ASSAY_CLASSES(CLASS) CLASS(batching, batcher)
#define ASSAY_METHODS(METHOD)                                                                                          \
    METHOD(batching, batcher, on_arrival, "now request length batch")                                                  \
    METHOD(batching, batcher, on_completion, "now how answers given_up batch")                                         \
    METHOD(batching, batcher, on_timer, "now batch")

#define ASSAY_CONTRACT(FUNCTION)                                                                                       \
    FUNCTION(batching, plan, "s")                                                                                      \
    FUNCTION(batching, make_batcher, "s")                                                                              \
    FUNCTION(batching, load_test, "arrivals max_batch timeout batch_time latencies")                                   \
    FUNCTION(batching, best_timeout, "arrivals timeouts max_batch batch_time slo")                                     \
    FUNCTION(batching, make_resilient_batcher, "s")                                                                    \
    FUNCTION(batching, compare, "lengths slots")

#endif
