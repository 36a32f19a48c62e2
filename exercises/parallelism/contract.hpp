// What an attempt at `parallelism` defines: tensor and pipeline parallel on virtual ranks. README.md beside this file
// is the statement. Each function is one level's; a missing one fails only that level.
#ifndef ASSAY_PARALLELISM_CONTRACT_HPP
#define ASSAY_PARALLELISM_CONTRACT_HPP

#include <assay/ranks.hpp>
#include <assay/tensor.hpp>
#include <assay/unset.hpp>
#include <cstdint>

namespace parallelism {

using assay::communicator;
using assay::tensor;
using assay::unset;
using assay::unset_integer;

// The layer: y = act(x W1 + b1) W2 + b2, act(z) = max(z, 0)² element by element (the squared ReLU).
//   x (T, d) · W1 (d, f) · b1 (f) · W2 (f, d) · b2 (d) · y (T, d), float32, any strides >= 0.
// The hidden axis f is split over n = group.size() ranks in contiguous blocks of w = ceil(f / n): rank r holds hidden
// units r w, r w + 1, ..., r w + w - 1. Units from f on do not exist: their place in the parts is filled with 0.

/// Level 1. Every rank is given the whole weights and writes its own parts: w1_part (d, w), b1_part (w), w2_part (w,
/// d). No collective is called.
void shard(communicator& group, tensor<const float, 2> w1, tensor<const float, 1> b1, tensor<const float, 2> w2,
           tensor<float, 2> w1_part, tensor<float, 1> b1_part, tensor<float, 2> w2_part);

/// Level 2. x (T, d) and b2 (d) are the same on all ranks, the parts are those of level 1. Every rank writes the whole
/// y (T, d). The one collective is an all_reduce of T d elements.
void forward(communicator& group, tensor<const float, 2> x, tensor<const float, 2> w1_part,
             tensor<const float, 1> b1_part, tensor<const float, 2> w2_part, tensor<const float, 1> b2,
             tensor<float, 2> y);

/// Level 3. Outside the layer tokens are split: T = n t, and rank r holds tokens r t ... r t + t - 1 of x and of y, as
/// x_part (t, d) and y_part (t, d). The two collectives are an all_gather and a reduce_scatter of T d elements.
void sequence(communicator& group, tensor<const float, 2> x_part, tensor<const float, 2> w1_part,
              tensor<const float, 1> b1_part, tensor<const float, 2> w2_part, tensor<const float, 1> b2,
              tensor<float, 2> y_part);

/// The layer again, as counts. Each is valid from 1 to 2^53.
struct layer {
    std::int64_t tokens;        // T
    std::int64_t d_model;       // d
    std::int64_t hidden;        // f
    std::int64_t ranks;         // n
    std::int64_t element_bytes; // of every tensor
};

/// All in bytes; "sends" is what one rank sends in a ring.
struct traffic {
    double weights = unset;        // on one rank: w1_part, b1_part, w2_part, padding included, and the whole b2
    double activations = unset;    // the tensor (T, d)
    double all_reduce = unset;     // a rank sends for the all_reduce of level 2
    double all_gather = unset;     // a rank sends for the all_gather of level 3
    double reduce_scatter = unset; // a rank sends for the reduce_scatter of level 3
    double sequence = unset;       // a rank sends in level 3, both together
    double gathered_sums = unset;  // a rank sends where all_gather joins all ranks' partial (T, d) into (n T, d)
    double rows_first = unset;     // a rank sends where W1 is split by rows and W2 by columns (README, level 4)
};

/// Level 4. Everything stays unset where an input is invalid.
traffic count_traffic(layer ffn);

enum class schedule : std::int64_t { gpipe, one_f_one_b };
enum class share : std::int64_t { of_total, of_useful };

struct pipeline {
    schedule kind;
    std::int64_t stages;           // p, 1 to 2^53
    std::int64_t micro_batches;    // m, 1 to 2^53
    std::int64_t stage;            // s, 0 to p - 1
    double forward_time;           // s, one micro-batch on one stage, > 0 and finite
    double backward_time;          // s, the same
    std::int64_t activation_bytes; // of one live micro-batch on one stage, 0 to 2^53
    share of;                      // of what the bubble is a fraction
};

struct bubble {
    double useful = unset;                  // s, one stage computes
    double idle = unset;                    // s, one stage does not compute until the last stage is done
    double makespan = unset;                // s, from the first operation's start to the last one's end
    double fraction = unset;                // idle / makespan or idle / useful, by `of`
    std::int64_t peak_live = unset_integer; // micro-batches live on stage s at once
    double peak_bytes = unset;              // B, of their activations
};

/// Level 5. Everything stays unset where an input is invalid.
bubble count_bubble(pipeline plan);

/// Level 6. Row s of `order` (p, 2 m) becomes the order in which stage s works: k + 1 is the forward of micro-batch k,
/// -(k + 1) its backward, k = 0 ... m - 1. p and m are at least 1.
void write_schedule(schedule kind, std::int64_t stages, std::int64_t micro_batches, tensor<std::int64_t, 2> order);

} // namespace parallelism

// The structs' fields, in order, and the list that judge and worker build their calls from.
#define ASSAY_RECORDS(RECORD)                                                                                          \
    RECORD(parallelism, layer, tokens, d_model, hidden, ranks, element_bytes)                                          \
    RECORD(parallelism, traffic, weights, activations, all_reduce, all_gather, reduce_scatter, sequence,               \
           gathered_sums, rows_first)                                                                                  \
    RECORD(parallelism, pipeline, kind, stages, micro_batches, stage, forward_time, backward_time, activation_bytes,   \
           of)                                                                                                         \
    RECORD(parallelism, bubble, useful, idle, makespan, fraction, peak_live, peak_bytes)

#define ASSAY_CONTRACT(FUNCTION)                                                                                       \
    FUNCTION(parallelism, shard, "ranks w1 b1 w2 w1_part b1_part w2_part")                                             \
    FUNCTION(parallelism, forward, "ranks x w1_part b1_part w2_part b2 y")                                             \
    FUNCTION(parallelism, sequence, "ranks x_part w1_part b1_part w2_part b2 y_part")                                  \
    FUNCTION(parallelism, count_traffic, "ffn")                                                                        \
    FUNCTION(parallelism, count_bubble, "plan")                                                                        \
    FUNCTION(parallelism, write_schedule, "kind stages micro_batches order")

#endif
