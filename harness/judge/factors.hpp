// Unit errors: a number that is wrong by a factor with a name (bits for bytes, GiB for GB, a count that was left out).
#ifndef ASSAY_JUDGE_FACTORS_HPP
#define ASSAY_JUDGE_FACTORS_HPP

#include "core/problem.hpp"

#include <string>
#include <vector>

namespace assay {

/// A factor between a wrong number and the right one. `id` is the same in every case where it is the same error:
/// "bits", "times gpus".
struct Factor {
    std::string id;
    double value = 1;
    std::string sentence; // completes "your t_net is ...": "8 times the right one, as where bits stand for bytes"
};

/// All that `ratio` (wrong / right) may be, most common first: 8, powers of 1000 and 1024 and their ratios, 60 and
/// 3600, 2 and 4, and each whole number among the problem's fields, its square, and n/(n - 1). `within` is relative.
std::vector<Factor> factors_of(const Problem& problem, double ratio, double within);

} // namespace assay

#endif
