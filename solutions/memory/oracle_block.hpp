// The bytes of a GPT block's kept activations as multiples of s·b·h, and of a·s²·b for the scores.
#ifndef ASSAY_MEMORY_ORACLE_BLOCK_HPP
#define ASSAY_MEMORY_ORACLE_BLOCK_HPP

#include "oracle.hpp"

namespace assay::memory_judge {

struct Block {
    double attention; // input of q, k, v 2, q 2, k 2, v 2, input of the projection 2, dropout mask 1
    double ffn;       // input 2, of GELU 8, of the second matrix 8, dropout mask 1
    double scores;    // softmax output 2, its dropout mask 1, what dropout makes of it 2
};

inline Block block_of(bool dropout, const Slips& on) {
    if (!dropout && !on("dropout-assumed")) return {10, 18, 2};
    const double mask = on("masks-two-bytes") ? 2 : 1;
    return {10 + mask, 18 + mask, 4 + mask};
}

/// 0 none, 1 selective, 2 full.
inline std::int64_t recompute_of(const Problem& problem, const Slips& on) {
    const std::int64_t recomputed = problem.integer("recomputed");
    return recomputed == 1 && on("selective-ignored") ? 0 : recomputed;
}

} // namespace assay::memory_judge

#endif
