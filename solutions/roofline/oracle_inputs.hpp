// A problem of `roofline` as plain numbers.
#ifndef ASSAY_ROOFLINE_ORACLE_INPUTS_HPP
#define ASSAY_ROOFLINE_ORACLE_INPUTS_HPP

#include "core/problem.hpp"
#include "core/slips.hpp"

#include <cstdint>

namespace assay::roofline_judge {

struct Inputs {
    std::int64_t tokens = 0, d_model = 1, hidden = 1, gpus = 1;
    double dense_tflops = 1, sparse_tflops = 1, memory_tb = 1, link_gb = 1;
    std::int64_t gpus_per_node = 1;
    double network_gbit = 1, link_latency = 0, network_latency = 0;
    std::int64_t bytes_per_element = 2;
    bool gated = false, fused = false;
    double share = 0.5;
};

/// What a route does not ask keeps its default.
Inputs inputs_of(const Problem& problem);

/// Whether the contract's domain holds it; elsewhere every item stays unset.
bool in_domain(const Problem& problem, const Slips& on);

} // namespace assay::roofline_judge

#endif
