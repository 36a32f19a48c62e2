// The layer's costs, as right or as wrong as the mistakes switched on make them.
#ifndef ASSAY_ROOFLINE_ORACLE_MODEL_HPP
#define ASSAY_ROOFLINE_ORACLE_MODEL_HPP

#include "oracle_inputs.hpp"

#include <cstdint>
#include <initializer_list>

namespace assay::roofline_judge {

/// A product of counts, exact but for rounding; or as it comes out of integers that wrap.
double product(std::initializer_list<std::int64_t> factors, const Slips& on);

double peak_flops(const Inputs& in, const Slips& on);
double hbm_bw(const Inputs& in, const Slips& on);
double link_bw(const Inputs& in, const Slips& on);    // NVLink, one direction
double network_bw(const Inputs& in, const Slips& on); // one port, one direction

/// Bytes of an element that is said to have `given`.
std::int64_t element_bytes(std::int64_t given, const Slips& on);
/// Elements of a token's row that the all-reduce sums.
double reduced_row(const Inputs& in, const Slips& on);
/// Elements of a token's activations in levels 1 and 2: input, output and hidden row, none of them sharded.
double activation_row(const Inputs& in, const Slips& on);

/// What a ring all-reduce of one byte over n GPUs makes each of them send.
double ring_share(double n, const Slips& on);

/// 0 compute, 1 memory, 2 network: the longest, the first of equals.
std::int64_t longest(double compute, double memory, double network, const Slips& on);

/// FLOPs a multiply-add counts for.
std::int64_t per_multiply_add(const Slips& on);
/// Of the ungated layer: matmuls whose FLOPs are counted, matrices whose bytes are.
std::int64_t matmuls(const Slips& on);
std::int64_t matrices(const Slips& on);

/// Level 3's items, and the terms that they are made of.
struct Terms {
    double flops = 0, weight_bytes = 0, edge_bytes = 0, hidden_bytes = 0, network_bytes = 0, ring_bw = 0, steps = 0;
    double t_compute = 0, t_weights = 0, t_activations = 0, t_transfer = 0, t_latency = 0;
    double t_memory = 0, t_network = 0, time = 0;
    std::int64_t binds = -1;
};

/// Something made faster.
struct Boost {
    double peak = 1, memory = 1, link = 1;
    double latency = 1;     // time divided by this
    bool keep_link = false; // the link is chosen as if there were half as many GPUs
};

Terms terms_of(const Inputs& in, const Slips& on, const Boost& boost = {});

} // namespace assay::roofline_judge

#endif
