// Shrinks a strided array along one axis without turning it into a plain one.
#ifndef ASSAY_JUDGE_LAYOUT_HPP
#define ASSAY_JUDGE_LAYOUT_HPP

#include "core/array.hpp"

#include <span>

namespace assay {

/// Keeps only the listed indices of `axis` (each in range, in that order). The result has the same order of axes in
/// storage, the same kind of gaps between elements (holding what the first gap held), the same stride-0 axes and the
/// same offset, so that a contiguous array stays contiguous and a stepped one stepped. Arrays whose axes overlap in
/// storage other than by stride 0 become row-major.
Array keep_along(const Array& array, std::size_t axis, std::span<const std::int64_t> keep);

} // namespace assay

#endif
