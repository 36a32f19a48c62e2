// The inputs of one problem as dense row-major arrays.
#ifndef ASSAY_GRPO_HUNT_ORACLE_INPUTS_HPP
#define ASSAY_GRPO_HUNT_ORACLE_INPUTS_HPP

#include "core/problem.hpp"

#include <cstdint>
#include <vector>

namespace assay::grpo_hunt_judge {

struct Inputs {
    std::size_t N = 0, T = 0, V = 0;
    std::vector<double> logits;               // (N, T, V)
    std::vector<std::size_t> tokens;          // (N, T)
    std::vector<char> mask;                   // (N, T)
    bool off_policy = false, has_ref = false; // whether lp_old and lp_ref are there
    std::vector<double> lp_old, lp_ref;       // (N, T), or empty
    std::vector<double> rewards;              // (N)
    std::size_t group_size = 1;
    double ddof = 0, eps = 0;
    bool scale = true;
    double temperature = 1, clip_low = 0, clip_high = 0, limit = 0, beta = 0;
    std::int64_t how = 0;
    double longest = 1;

    std::size_t at(std::size_t n, std::size_t t) const { return n * T + t; }
    bool has_kl() const { return has_ref && beta != 0; }
};

Inputs read_inputs(const Problem& problem);

} // namespace assay::grpo_hunt_judge

#endif
