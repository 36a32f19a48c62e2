// What an attempt at `broadcast` defines. README.md beside this file is the statement: the plans, the units, the
// domain, the ties.
#ifndef ASSAY_BROADCAST_CONTRACT_HPP
#define ASSAY_BROADCAST_CONTRACT_HPP

#include <assay/list.hpp>
#include <assay/tensor.hpp>
#include <assay/unset.hpp>
#include <cstdint>

namespace broadcast {

using assay::list;
using assay::tensor;
using assay::unset;
using assay::unset_integer;

/// One file, and who is to have it. Each node's link carries link_gbps in each direction at once (full duplex).
struct transfer {
    double size_gb;         // GB of 10^9 bytes, in [1e-9, 1e12]
    double link_gbps;       // Gbit/s of 10^9 bits, in [1e-9, 1e12]
    std::int64_t receivers; // nodes beside the source, in [1, 10^15]
};

/// Level 1. One slot is the time in which a link carries one chunk.
struct plans {
    double bytes = unset;                       // B, the file
    double link = unset;                        // B/s, one direction
    double floor = unset;                       // s, the file once through one link
    double source_bytes = unset;                // B that the source uploads if it serves everybody by itself
    double naive = unset;                       // s, that upload
    std::int64_t rounds = unset_integer;        // of the binomial tree that passes on whole files
    double binomial = unset;                    // s, those rounds
    double slot = unset;                        // s, one chunk through one link
    std::int64_t chain_slots = unset_integer;   // until the last node has the last chunk
    double chain = unset;                       // s
    std::int64_t tree_first = unset_integer;    // slots until the last node has the first chunk
    std::int64_t tree_slots = unset_integer;    // until the last node has the last chunk
    double tree = unset;                        // s
    std::int64_t optimum_slots = unset_integer; // the least that any plan needs
    double optimum = unset;                     // s
};

/// Level 1. chunks in [1, 10^15]. Input outside its range: every item unset, `return {};`.
plans plan_times(transfer job, std::int64_t chunks);

enum class limit : std::int64_t { none = -1, source, download, upload };

/// Level 1. What no plan can beat when links differ.
struct swarm {
    double t_source = unset;   // s, the source uploads the file once
    double t_download = unset; // s, the slowest receiver downloads it
    double t_upload = unset;   // s, everybody's upload together carries all copies
    double t_bound = unset;    // s, the largest of the three
    limit binds = limit::none; // which one that is; of equal ones the first in this order
};

/// Level 1. upload_gbps (N), each in [0, 1e12]; download_gbps (N), each in [1e-9, 1e12]; source_gbps in [1e-9, 1e12].
/// One entry a receiver, N the same for both. N = 0 or a number outside its range: every item unset.
swarm swarm_bound(double size_gb, double source_gbps, tensor<const double, 1> upload_gbps,
                  tensor<const double, 1> download_gbps);

/// Level 2. For each plan the best number of chunks as a real number (>= 0) and as an integer (>= 1), and the time with
/// that integer.
struct best {
    double floor = unset;                      // s, as in level 1
    double latency = unset;                    // s
    double chain_real = unset;                 // where the derivative is 0; 0 where more chunks never help
    std::int64_t chain_chunks = unset_integer; // the integer of least time, the smaller of two equal ones
    double chain = unset;                      // s, with that integer
    double tree_real = unset;                  // the same of the two-child tree
    std::int64_t tree_chunks = unset_integer;
    double tree = unset;
    double optimum_real = unset; // and of the optimum
    std::int64_t optimum_chunks = unset_integer;
    double optimum = unset;
};

/// Level 2. latency_ms in [1e-6, 1e9] milliseconds: each chunk occupies each link for that much longer.
best best_chunks(transfer job, double latency_ms);

/// Level 3. `racks` racks of `workers` workers; the source is in none of them.
struct cluster {
    std::int64_t racks;      // in [1, 10^7]
    std::int64_t workers;    // in each rack, in [1, 10^7]
    double oversubscription; // workers · link / uplink, in [0.001, 1000]
};

/// Level 3. Two chains through all workers: rack by rack ("aware"), or never twice in a row in one rack ("blind").
struct rack_times {
    double uplink = unset;      // B/s of a rack's uplink, one direction
    double local_hop = unset;   // s, one chunk from a worker to the next in its rack
    double aware_bytes = unset; // B that come into a rack by its uplink
    double aware_rate = unset;  // B/s of a stream between racks
    double aware_hop = unset;   // s, one chunk from a rack (or the source) to the next
    double aware_first = unset; // s until the last worker has the first chunk
    double aware = unset;       // s until it has the last
    double blind_bytes = unset; // the same of the other chain
    double blind_rate = unset;
    double blind_hop = unset;
    double blind = unset;
    double slowdown = unset; // blind / aware
};

/// Level 3. size_gb, link_gbps and chunks as in level 1.
rack_times rack_plans(double size_gb, double link_gbps, cluster site, std::int64_t chunks);

/// Levels 4 and 5. Node 0 is the source and has the chunks 0 to k - 1. Nodes 1 to N are to have them.
struct network {
    std::int64_t receivers; // N, in [1, 2000]
    std::int64_t chunks;    // k, in [1, 2000]
    std::int64_t rack_size; // node n >= 1 stands in rack (n - 1) / rack_size; 0: there are no racks. Level 5: always 0
    std::int64_t uplink; // chunks that may enter a rack in a slot, and as many may leave it; >= 1 where there are racks
};

/// One chunk from one node to another, in one slot.
struct send {
    std::int64_t from, to, chunk;
};

class planner {
  public:
    virtual ~planner() = default;

    /// Slot `slot` begins (1, 2, ...): push what is sent in it.
    /// failed: positions in the list of the slot before, rising, of the sends whose receiver has not got the chunk.
    /// died: nodes that died in the slot before. Both are empty in level 4.
    virtual void next(std::int64_t slot, tensor<const std::int64_t, 1> failed, tensor<const std::int64_t, 1> died,
                      list<send>& sends) = 0;
};

/// Level 4: before slot 1, only the source has anything.
planner* make_planner(network where);

/// What lies on a node's disk of one chunk.
inline constexpr std::int32_t absent = 0, unverified = 1, verified = 2;

/// Level 5: at the start, and again when everything was stopped and starts anew. disk (N + 1, k) holds absent,
/// unverified or verified. What was known before is known no more; slots are counted on, and the first call of next
/// tells all nodes that have died so far.
planner* resume_planner(network where, tensor<const std::int32_t, 2> disk);

} // namespace broadcast

// The records by their fields, and the list that judge and worker build their calls from.
#define ASSAY_RECORDS(RECORD)                                                                                          \
    RECORD(broadcast, transfer, size_gb, link_gbps, receivers)                                                         \
    RECORD(broadcast, plans, bytes, link, floor, source_bytes, naive, rounds, binomial, slot, chain_slots, chain,      \
           tree_first, tree_slots, tree, optimum_slots, optimum)                                                       \
    RECORD(broadcast, swarm, t_source, t_download, t_upload, t_bound, binds)                                           \
    RECORD(broadcast, best, floor, latency, chain_real, chain_chunks, chain, tree_real, tree_chunks, tree,             \
           optimum_real, optimum_chunks, optimum)                                                                      \
    RECORD(broadcast, cluster, racks, workers, oversubscription)                                                       \
    RECORD(broadcast, rack_times, uplink, local_hop, aware_bytes, aware_rate, aware_hop, aware_first, aware,           \
           blind_bytes, blind_rate, blind_hop, blind, slowdown)                                                        \
    RECORD(broadcast, network, receivers, chunks, rack_size, uplink)                                                   \
    RECORD(broadcast, send, from, to, chunk)
#define ASSAY_CONSTANTS(CONSTANT) CONSTANT(broadcast, absent) CONSTANT(broadcast, unverified) CONSTANT(broadcast, verified)
#define ASSAY_CLASSES(CLASS) CLASS(broadcast, planner)
#define ASSAY_METHODS(METHOD) METHOD(broadcast, planner, next, "slot failed died sends")
#define ASSAY_CONTRACT(FUNCTION)                                                                                       \
    FUNCTION(broadcast, plan_times, "job chunks")                                                                      \
    FUNCTION(broadcast, swarm_bound, "size_gb source_gbps upload_gbps download_gbps")                                  \
    FUNCTION(broadcast, best_chunks, "job latency_ms")                                                                 \
    FUNCTION(broadcast, rack_plans, "size_gb link_gbps site chunks")                                                   \
    FUNCTION(broadcast, make_planner, "where")                                                                         \
    FUNCTION(broadcast, resume_planner, "where disk")

#endif
