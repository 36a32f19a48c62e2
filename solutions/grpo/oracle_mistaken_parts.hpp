// The loss with mistakes in it: what the first stage makes of each token, and the second of all together.
#ifndef ASSAY_GRPO_ORACLE_MISTAKEN_PARTS_HPP
#define ASSAY_GRPO_ORACLE_MISTAKEN_PARTS_HPP

#include "core/slips.hpp"
#include "oracle_core.hpp"

#include <assay/var.hpp>
#include <cmath>
#include <vector>

namespace assay::grpo_judge {

inline constexpr double u = 0x1p-53;

inline double finite(double bound) { return std::isfinite(bound) ? bound : 0; }

/// One number a token or sequence; the size of what it was made from, and what that may be off by. People compute
/// mistakes in more ways than right answers: four times what oracle_core.cpp allows those.
struct Sum {
    Var value;
    double size = 0, error = 0;

    void add(const Sum& one) {
        value += one.value;
        size += one.size;
        error += one.error;
    }
    void scale(double factor) {
        value *= factor;
        size *= std::fabs(factor);
        error *= std::fabs(factor);
    }
};

/// One token. in_clip: what is clipped; kl: times beta.
struct Part {
    Var ratio, in_clip, unclipped, clipped, policy, kl;
    double d = 0, size = 0, error = 0;
};

struct Parts {
    std::size_t N, T;
    std::vector<char> mask; // what is taken for it
    std::vector<Part> token;

    std::size_t first_of(std::size_t n) const { return n * T; }
};

/// Whether it is written to terms and added up: every counted token, and what a mistake adds outside the mask.
bool is_term(const Parts& parts, std::size_t i, const Slips& on);
Var objective_of(const Parts& parts, std::size_t i, const Slips& on);
Sum aggregate(const Parts& parts, const LossRule& rule, const Slips& on);

} // namespace assay::grpo_judge

#endif
