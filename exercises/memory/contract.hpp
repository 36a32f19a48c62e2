// What an attempt at `memory` defines: bytes that lie in a GPU's memory, and bytes that GPUs send. README.md beside
// this file is the statement. Each function is one level's; a missing one fails only the level that needs it.
//
// A result that is left as it is (`return {};`) says "unset": right for invalid input, and only there.
#ifndef ASSAY_MEMORY_CONTRACT_HPP
#define ASSAY_MEMORY_CONTRACT_HPP

#include <assay/unset.hpp>
#include <cstdint>

namespace memory {

using assay::unset;

/// Y = X W with X (m, k), W (k, n), Y (m, n); `bits` an element. m, k, n >= 0, bits >= 1.
struct product {
    std::int64_t m, k, n, bits;
};

// Level 1, forward.
struct forward_bytes {
    double x = unset;         // B
    double w = unset;         // B
    double y = unset;         // B
    double total = unset;     // B, all three
    double total_gib = unset; // GiB of 2^30 B
};
forward_bytes forward(product matmul);

// Level 2, backward: dW = Xᵀ dY and dX = dY Wᵀ.
/// What is freed when. keep_all: nothing. free_y: Y before the backward pass begins, dY after its last use; X is the
/// caller's and stays. free_x: as free_y, and X as soon as dW is there.
enum class liveness : std::int64_t { keep_all, free_y, free_x };
struct backward_bytes {
    double while_dw = unset; // B live while dW is computed, dW itself among them
    double while_dx = unset; // B live while dX is computed, dX itself among them
    double after = unset;    // B live when both are there and what may be freed has been
    double peak = unset;     // B, the larger of the first two
    double peak_gib = unset; // GiB
};
/// dx_first: dX is computed before dW, else after it.
backward_bytes backward(product matmul, liveness policy, bool dx_first);

// Level 3, training-state: mixed-precision Adam on each of `gpus` data-parallel GPUs.
/// Which of the parts are sharded over the GPUs; each stage shards what the one before does, too.
enum class zero : std::int64_t { none, optimizer, gradients, weights };
struct state_bytes {
    double weights = unset;   // B, 2 a parameter
    double gradients = unset; // B, 2 a parameter, or 4
    double master = unset;    // B, the float32 copy of the weights
    double moments = unset;   // B, Adam's two, float32
    double total = unset;     // B
    double total_gb = unset;  // GB of 1e9 B
};
/// parameters >= 0, gpus >= 1.
state_bytes training_state(std::int64_t parameters, std::int64_t gpus, zero stage, bool fp32_gradients);

// Level 4, transformer.
/// heads, kv_heads, head_dim, d_model >= 1, heads a multiple of kv_heads; the others >= 0.
struct model {
    std::int64_t layers, d_model, heads, kv_heads, head_dim;
    std::int64_t hidden;    // width of the feed-forward layer
    std::int64_t vocab;     // rows of the token embedding
    std::int64_t positions; // rows of the learned position embedding, 0 where there is none
    std::int64_t norms;     // norms over d_model in a layer (2 is usual)
    bool gated;             // three feed-forward matrices, else two
    bool tied;              // the output head is the token embedding, else a matrix of its own
    bool final_norm;        // one more norm after the last layer
    bool norm_bias;         // norms have a bias beside their gain
    bool qk_norm;           // two norms over head_dim in a layer, gains only, shared by the heads
    bool qkv_bias;          // biases on q, k and v
    bool dense_bias;        // biases on the attention's output and on each feed-forward matrix
};
struct parameter_count {
    double embedding = unset; // the token embedding
    double position = unset;  // the position embedding
    double attention = unset; // a layer's matrices q, k, v, o
    double ffn = unset;       // a layer's feed-forward matrices
    double biases = unset;    // a layer's
    double norms = unset;     // a layer's
    double layer = unset;     // a layer's, all four
    double total = unset;     // the whole model's
    double total_gib = unset; // GiB, at `bits` a parameter
};
parameter_count parameters(model network, std::int64_t bits);

/// layers, batch, tokens >= 0; the others >= 1, heads a multiple of kv_heads.
struct cache {
    std::int64_t layers, d_model, heads, kv_heads, head_dim;
    std::int64_t batch;  // sequences
    std::int64_t tokens; // in each of them
    std::int64_t bits;   // of a cached element
};
struct cache_bytes {
    double token_in_layer = unset; // B, one token's keys and values in one layer
    double token = unset;          // B, in all layers
    double sequence = unset;       // B, of one sequence
    double total = unset;          // B, of the batch
    double total_gib = unset;      // GiB
};
cache_bytes kv_cache(cache of);

enum class recompute : std::int64_t { none, selective, full };
/// A stack of GPT blocks: multi-head attention, heads >= 1, d_model >= 1; the others >= 0.
struct stack {
    std::int64_t layers, batch, sequence, d_model, heads;
};
struct activation_bytes {
    double attention = unset; // B a layer, without the next item
    double scores = unset;    // B a layer, what grows with sequence²
    double ffn = unset;       // B a layer
    double norms = unset;     // B a layer
    double layer = unset;     // B a layer, all four
    double kept = unset;      // B a layer, what is kept from the forward to the backward pass
    double total = unset;     // B, kept in all layers
    double total_gib = unset; // GiB
};
activation_bytes activations(stack blocks, bool dropout, recompute recomputed);

// Level 5, sharding.
/// One matmul over tensor-parallel GPUs by W's columns or rows, or whole on a pipeline stage.
enum class split : std::int64_t { column, row, pipeline };
struct share_bytes {
    double x = unset;     // B that a GPU holds of X
    double w = unset;     // B that it holds of W
    double y = unset;     // B of what it computes of Y
    double total = unset; // B, all three
    double sent = unset;  // B that it sends
};
/// gpus >= 1.
share_bytes split_matmul(product matmul, split by, std::int64_t gpus);

/// All counts >= 1. tensor divides heads and d_model, and with sequence_parallel the sequence; pipeline · chunks
/// divides layers; with chunks > 1 pipeline divides micro_batches.
struct plan {
    std::int64_t layers, d_model, heads, sequence;
    std::int64_t micro_batch;   // sequences in a micro-batch
    std::int64_t micro_batches; // in a step
    std::int64_t tensor;        // GPUs that share each layer
    std::int64_t pipeline;      // stages
    std::int64_t chunks;        // of layers a stage: 1 = 1F1B, more = interleaved 1F1B
    bool sequence_parallel, dropout, fp32_gradients;
};
struct stage_bytes {
    double parameters = unset;    // on a GPU of the first stage, as all items here
    double state = unset;         // B, training state
    double kept = unset;          // B a layer and micro-batch, kept for the backward pass
    double in_flight = unset;     // layers times micro-batches whose activations are held at the worst moment
    double activations = unset;   // B
    double total = unset;         // B, state and activations
    double total_gib = unset;     // GiB
    double sent_tensor = unset;   // B a micro-batch, to the other GPUs of the tensor group
    double sent_pipeline = unset; // B a micro-batch, to and from the second stage
};
stage_bytes first_stage(plan run, recompute recomputed);

/// `layers` matrices of (d_model, hidden). memory_gib a GPU, finite, > 0; node 1 to 1024; the others >= 1.
struct demand {
    std::int64_t layers, d_model, hidden;
    std::int64_t bytes_per_parameter;
    std::int64_t node; // most GPUs that may share a matrix
    double memory_gib;
};
struct fit {
    double matrix = unset; // B of one matrix
    double total = unset;  // B of all
    double least = unset;  // GPUs, if bytes could be laid anywhere
    double stages = unset; // GPUs, by pipeline alone
    double ranks = unset;  // GPUs, by tensor parallel alone
    double tensor = unset; // tensor-parallel GPUs a stage in the best combination
    double gpus = unset;   // GPUs of the best combination
};
fit least_gpus(demand need);

} // namespace memory

#define ASSAY_RECORDS(RECORD)                                                                                          \
    RECORD(memory, product, m, k, n, bits)                                                                             \
    RECORD(memory, forward_bytes, x, w, y, total, total_gib)                                                           \
    RECORD(memory, backward_bytes, while_dw, while_dx, after, peak, peak_gib)                                          \
    RECORD(memory, state_bytes, weights, gradients, master, moments, total, total_gb)                                  \
    RECORD(memory, model, layers, d_model, heads, kv_heads, head_dim, hidden, vocab, positions, norms, gated, tied,    \
           final_norm, norm_bias, qk_norm, qkv_bias, dense_bias)                                                       \
    RECORD(memory, parameter_count, embedding, position, attention, ffn, biases, norms, layer, total, total_gib)       \
    RECORD(memory, cache, layers, d_model, heads, kv_heads, head_dim, batch, tokens, bits)                             \
    RECORD(memory, cache_bytes, token_in_layer, token, sequence, total, total_gib)                                     \
    RECORD(memory, stack, layers, batch, sequence, d_model, heads)                                                     \
    RECORD(memory, activation_bytes, attention, scores, ffn, norms, layer, kept, total, total_gib)                     \
    RECORD(memory, share_bytes, x, w, y, total, sent)                                                                  \
    RECORD(memory, plan, layers, d_model, heads, sequence, micro_batch, micro_batches, tensor, pipeline, chunks,       \
           sequence_parallel, dropout, fp32_gradients)                                                                 \
    RECORD(memory, stage_bytes, parameters, state, kept, in_flight, activations, total, total_gib, sent_tensor,        \
           sent_pipeline)                                                                                              \
    RECORD(memory, demand, layers, d_model, hidden, bytes_per_parameter, node, memory_gib)                             \
    RECORD(memory, fit, matrix, total, least, stages, ranks, tensor, gpus)

#define ASSAY_CONTRACT(FUNCTION)                                                                                       \
    FUNCTION(memory, forward, "matmul")                                                                                \
    FUNCTION(memory, backward, "matmul policy dx_first")                                                               \
    FUNCTION(memory, training_state, "parameters gpus stage fp32_gradients")                                           \
    FUNCTION(memory, parameters, "network bits")                                                                       \
    FUNCTION(memory, kv_cache, "of")                                                                                   \
    FUNCTION(memory, activations, "blocks dropout recomputed")                                                         \
    FUNCTION(memory, split_matmul, "matmul by gpus")                                                                   \
    FUNCTION(memory, first_stage, "run recomputed")                                                                    \
    FUNCTION(memory, least_gpus, "need")

#endif
