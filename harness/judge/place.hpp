// Where a tensor is wrong, in words and as a small picture: the pattern often is the bug.
#ifndef ASSAY_JUDGE_PLACE_HPP
#define ASSAY_JUDGE_PLACE_HPP

#include "core/array.hpp"
#include "judge/elements.hpp"

#include <string>
#include <vector>

namespace assay {

/// The elements standing as `kind`, in words: "everywhere", "a single element", "every element of out[0, 2, 5:, :]",
/// "38 of the 40 elements of out[:, 1, :, :]", "everywhere but out[0, :, :, :]"; "" where nothing short says it.
/// Indices are written as in NumPy: 5: is from 5 on, :5 up to 4, 2:5 is 2 to 4, ::2 the even ones, {1, 4} these.
/// `standing` has one entry an element, row-major.
std::string place_of(const std::string& tensor, const Index& extents, const std::vector<Standing>& standing,
                     Standing kind);

/// Up to 8 rows of up to 48 marks ('.' right, 'x' wrong value, 'N' NaN, 'I' infinity) over the two axes that tell most,
/// under a line that names these axes. A mark that stands for several elements is the worst of them. Empty where a
/// picture would tell nothing.
std::vector<std::string> map_of(const Index& extents, const std::vector<Standing>& standing);

} // namespace assay

#endif
