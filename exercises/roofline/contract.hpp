// What an attempt at `roofline` defines. README.md beside this file is the statement; it has every formula's
// conventions.
#ifndef ASSAY_ROOFLINE_CONTRACT_HPP
#define ASSAY_ROOFLINE_CONTRACT_HPP

#include <assay/unset.hpp>
#include <cstdint>

namespace roofline {

using assay::unset;
using assay::unset_integer;

/// A feed-forward layer, and over how many GPUs it is sharded (tensor parallel).
struct ffn {
    std::int64_t tokens;  // T >= 0
    std::int64_t d_model; // d >= 1
    std::int64_t hidden;  // f >= 1
    std::int64_t gpus;    // n >= 1
};

/// One GPU, in the figures of its data sheet; each finite and above 0.
struct chip {
    double dense_tflops;  // matrix peak for the element type in use, 1e12 FLOP/s
    double sparse_tflops; // the same with 2:4 structured sparsity, which this layer has not
    double memory_tb;     // memory bandwidth, TB/s (1e12 B/s)
    double link_gb;       // NVLink of one GPU, GB/s (1e9 B/s), both directions added up
};

/// What the sheet does not say: how GPUs are put together.
struct fabric {
    std::int64_t gpus_per_node; // GPUs that NVLink joins, >= 1
    double network_gbit;        // one GPU's port to other nodes, Gbit/s (1e9 bit/s) in each direction; finite, above 0
    double link_latency;        // s a step over NVLink; finite, 0 or more
    double network_latency;     // s a step over the network; finite, 0 or more
};

/// How the layer is written.
struct design {
    std::int64_t bytes_per_element; // of weights, activations and what is reduced; >= 1
    bool gated;                     // three matrices (gate, up, down), not two (up, down)
    bool fused;                     // hidden tensors stay on the chip
};

enum class resource : std::int64_t { none = -1, compute, memory, network };
enum class option : std::int64_t { none = -1, peak, memory, link, gpus };
enum class reduction : std::int64_t { none = -1, ring, in_switch };

/// Level 1.
struct costs {
    double peak_flops = unset;       // FLOP/s
    double hbm_bw = unset;           // B/s
    double link_bw = unset;          // B/s, one direction
    double flops = unset;            // FLOP, of the whole layer
    double weight_bytes = unset;     // B, of the whole layer
    double activation_bytes = unset; // B, of each GPU
    double network_bytes = unset;    // B that each GPU sends
    double t_compute = unset;        // s
    double t_memory = unset;         // s
    double t_network = unset;        // s
    double time = unset;             // s
    resource binds = resource::none;
};
costs count(ffn layer, chip gpu);

/// Level 2. The network is left aside.
struct balance {
    double ridge = unset;            // FLOP/B
    double intensity = unset;        // FLOP/B, at layer.tokens
    resource binds = resource::none; // compute or memory
    double weight_tokens = unset;    // the crossover if weights were all there is to read
    double activation_share = unset; // memory time a token adds / compute time a token adds
    double crossover = unset;        // T*, a real number; infinity where there is none
    double least_tokens = unset;     // the least whole T at which compute binds; infinity where there is none
};
balance cross(ffn layer, chip gpu, std::int64_t bytes_per_element);

/// Level 3. Bytes are those of one GPU.
struct refined {
    double flops = unset;         // FLOP, of the whole layer
    double weight_bytes = unset;  // B
    double edge_bytes = unset;    // B: the layer's input and output
    double hidden_bytes = unset;  // B
    double network_bytes = unset; // B sent
    double ring_bw = unset;       // B/s, one direction, of the link that the all-reduce uses
    double steps = unset;         // of the all-reduce
    double t_compute = unset;     // s
    double t_memory = unset;      // s
    double t_network = unset;     // s, latency and all
    double time = unset;          // s
    resource binds = resource::none;
};
refined refine(ffn layer, chip gpu, fabric wires, design kind);

/// Level 4, all on the model of level 3. Groups of 2 to layer.gpus GPUs.
struct group {
    double time_one = unset;           // s, on 1 GPU
    std::int64_t size = unset_integer; // the largest n whose last GPU is worth it; 0 where there is none
    double time_before = unset;        // s, on n - 1 GPUs; left unset where there is none
    double time_at = unset;            // s, on n GPUs; likewise
};
group largest_group(ffn layer, chip gpu, fabric wires, design kind, double share);

/// layer.tokens plays no part.
struct batch {
    double memory_tokens = unset;  // T at which compute takes as long as memory; infinity where there is none
    double network_tokens = unset; // T at which compute takes as long as the network; likewise
    double tokens = unset;         // the least whole T >= 1 at which compute binds; infinity where there is none
};
batch least_batch(ffn layer, chip gpu, fabric wires, design kind);

/// The time as it is, and with one thing doubled.
struct doubling {
    double time = unset;        // s
    double time_peak = unset;   // s, peak FLOP/s doubled
    double time_memory = unset; // s, memory bandwidth doubled
    double time_link = unset;   // s, bandwidth of the link that the all-reduce uses doubled
    double time_gpus = unset;   // s, twice as many GPUs
    option best = option::none; // the one that gives the shortest time
    bool halves = false;        // whether that is half the time or less
};
doubling what_to_double(ffn layer, chip gpu, fabric wires, design kind);

/// Bonus: an all-reduce added up inside the switch of a node.
struct reducing {
    double ring_bytes = unset;   // B that each GPU sends
    double switch_bytes = unset; // B that each GPU sends
    double t_ring = unset;       // s
    double t_switch = unset;     // s
    reduction best = reduction::none;
};
reducing reduce(ffn layer, chip gpu, fabric wires, design kind);

} // namespace roofline

// The lists that judge and worker build their calls from: (namespace, struct, all its fields) and (namespace,
// function, parameter names).
#define ASSAY_RECORDS(RECORD)                                                                                          \
    RECORD(roofline, ffn, tokens, d_model, hidden, gpus)                                                               \
    RECORD(roofline, chip, dense_tflops, sparse_tflops, memory_tb, link_gb)                                            \
    RECORD(roofline, fabric, gpus_per_node, network_gbit, link_latency, network_latency)                               \
    RECORD(roofline, design, bytes_per_element, gated, fused)                                                          \
    RECORD(roofline, costs, peak_flops, hbm_bw, link_bw, flops, weight_bytes, activation_bytes, network_bytes,         \
           t_compute, t_memory, t_network, time, binds)                                                                \
    RECORD(roofline, balance, ridge, intensity, binds, weight_tokens, activation_share, crossover, least_tokens)       \
    RECORD(roofline, refined, flops, weight_bytes, edge_bytes, hidden_bytes, network_bytes, ring_bw, steps, t_compute, \
           t_memory, t_network, time, binds)                                                                           \
    RECORD(roofline, group, time_one, size, time_before, time_at)                                                      \
    RECORD(roofline, batch, memory_tokens, network_tokens, tokens)                                                     \
    RECORD(roofline, doubling, time, time_peak, time_memory, time_link, time_gpus, best, halves)                       \
    RECORD(roofline, reducing, ring_bytes, switch_bytes, t_ring, t_switch, best)
#define ASSAY_CONTRACT(FUNCTION)                                                                                       \
    FUNCTION(roofline, count, "layer gpu")                                                                             \
    FUNCTION(roofline, cross, "layer gpu bytes_per_element")                                                           \
    FUNCTION(roofline, refine, "layer gpu wires kind")                                                                 \
    FUNCTION(roofline, largest_group, "layer gpu wires kind share")                                                    \
    FUNCTION(roofline, least_batch, "layer gpu wires kind")                                                            \
    FUNCTION(roofline, what_to_double, "layer gpu wires kind")                                                         \
    FUNCTION(roofline, reduce, "layer gpu wires kind")

#endif
