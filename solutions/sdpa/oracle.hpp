// The float64 truth of `sdpa`, the error bound of every element, and each named mistake as a switch.
#ifndef ASSAY_SDPA_ORACLE_HPP
#define ASSAY_SDPA_ORACLE_HPP

#include "core/exercise.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace assay::sdpa_judge {

/// The exercise's Oracle: one truth, "out" (B, Hq, Lq, Dv), or (Lq, Dv) for route "stream", row-major; three for route
/// "attention_backward": "dq" (B, Hq, Lq, D), "dk" (B, Hkv, Lk, D) and "dv" (B, Hkv, Lk, Dv).
std::optional<Truths> oracle(const Problem& problem, std::string_view mistake, int form);

/// Every mistake the oracle can make, in the order in which they are named.
std::vector<Mistake> mistakes();

/// Naive float32 loops with float exp (row maximum subtracted), rounded to the storage type where the route stores; of
/// the gradients P, dP and dS as whole matrices a head.
Outputs plain(const Problem& problem);

/// The contract's preconditions: fitting shapes, D >= 1, Hq a multiple of Hkv, finite numbers wherever somebody may
/// attend, window >= 0, slopes >= 0.
bool valid(const Problem& problem);

/// How route "stream" cuts the keys: lengths of the blocks in order, of which the first `first` go to the first state,
/// the next `second` to a second one, and the rest to the result of merging the two.
struct Blocking {
    std::vector<std::int64_t> lengths;
    std::size_t first = 0;
    std::size_t second = 0;
    bool merges = false;      // without: all blocks go to one state
    bool into_second = false; // the first state is merged into the second, not the other way round
};

/// Read from fields `blocks` (int64), `split` (blocks of the second state, -1: no merge), `after` (blocks absorbed
/// after merging) and `into_second`. Lengths are cut to the keys there are and the last block takes what is left, so
/// that every smaller problem is still one.
Blocking blocking(const Problem& problem);

} // namespace assay::sdpa_judge

#endif
