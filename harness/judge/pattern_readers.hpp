// What each pattern asks of one output of one case. Every reader answers with its evidence: how many elements bear the
// pattern out that could have told otherwise; -1 where the pattern does not hold.
#ifndef ASSAY_JUDGE_PATTERN_READERS_HPP
#define ASSAY_JUDGE_PATTERN_READERS_HPP

#include "core/array.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay {

/// One output: what came, the truth and the bound, row-major and not empty. All readers but first_wrong want finite
/// numbers.
struct Seen {
    const Index& extents;
    const std::vector<double>& got;
    const std::vector<double>& truth;
    const std::vector<double>& bound;

    std::size_t size() const { return got.size(); }
    bool right(std::size_t i) const;
    /// The truth is far enough from 0 that a factor on it shows.
    bool is_large(std::size_t i) const;
};

/// All elements are 0; evidence: wrong ones.
int is_zero(const Seen& seen);

/// The same values as `array`, in row-major order; evidence: elements unlike the first (a constant equals too much).
int is_equal_to(const Seen& seen, const Array& array);

/// The factor from truth to got over elements [from, to), read off the largest one; NaN where none is large.
double factor_of(const Seen& seen, std::size_t from, std::size_t to);

/// Large elements of [from, to) that `scale` explains, less the one it was read off.
int is_scaled(const Seen& seen, std::size_t from, std::size_t to, double scale);

/// Each row (last axis) scaled by a factor of its own; evidence from the rows whose factor is not 1.
int is_scaled_by_row(const Seen& seen);

/// The truth plus `shift`, which it finds; evidence: elements whose truth is unlike the first's.
int is_offset(const Seen& seen, double& shift);

/// The truth written with its axes in `order` (outermost first); evidence: wrong elements.
int is_transposed(const Seen& seen, const std::vector<std::size_t>& order);

/// The index of `axis` before which all is right and from which on every slice has something wrong; 0 where there is
/// none. `wrong` counts the wrong elements.
std::int64_t first_wrong(const Seen& seen, std::size_t axis, int& wrong);

/// A storage type and half a unit in the last place of 1 in it.
struct Precision {
    Dtype dtype;
    double unit;
};
inline constexpr Precision lower_precisions[] = {{Dtype::f16, 0x1p-11}, {Dtype::bf16, 0x1p-8}};

/// Every element is exactly a number of the lower precision, next to the truth; evidence: wrong ones.
int is_rounded(const Seen& seen, const Precision& precision);

/// Errors are no more than a few roundings of the lower precision, and one is not much less; evidence: wrong elements.
int is_imprecise(const Seen& seen, const Precision& precision);

} // namespace assay

#endif
