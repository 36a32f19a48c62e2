// The gradients in float64, right or with one mistake switched on: from one head's matrices to dq, dk and dv.
#ifndef ASSAY_SDPA_ORACLE_GRADIENTS_HPP
#define ASSAY_SDPA_ORACLE_GRADIENTS_HPP

#include "oracle_rows.hpp"

#include <optional>
#include <vector>

namespace assay::sdpa_judge {

/// What a float32 that may be flushed to zero loses at most.
inline constexpr double flushed = 0x1p-126;

/// One query head's way back, each (Lq, Lk): which pairs of query and key take part, their weights p and dS, and what
/// careful float32 may lose of either.
struct Jacobian {
    std::vector<std::uint8_t> used;
    std::vector<double> p, p_error;
    std::vector<double> ds, ds_error;
    std::vector<double> keys; // (Lq): how many a row attends
    bool undefined = false;   // what the mistake gives here hangs on the order of its sums
};

/// Fills `to` for batch row b and query head h; `head` is scratch.
void fill_jacobian(const Inputs& in, const Switch& as, std::size_t b, std::size_t h, Head& head, Jacobian& to);

/// Truths "dq", "dk", "dv". Nothing where `as` cannot be made on these shapes.
std::optional<Truths> gradients(const Problem& problem, const Inputs& in, const Switch& as);

/// The plain float32 answer: outputs "dq", "dk", "dv".
Outputs plain_gradients(const Problem& problem, const Inputs& in);

} // namespace assay::sdpa_judge

#endif
