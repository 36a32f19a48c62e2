// Reads an answer's elements fast, and holds one of them against the truth.
#ifndef ASSAY_JUDGE_ELEMENTS_HPP
#define ASSAY_JUDGE_ELEMENTS_HPP

#include "core/array.hpp"
#include "core/problem.hpp"

#include <cmath>
#include <vector>

namespace assay {

/// All elements of `array` in row-major order of the index, as float64: Array::values without a call an element.
std::vector<double> elements_of(const Array& array);

/// Overwrites the element at `index` for each index of `array` in row-major order with values[0], values[1], ...
/// (as many as array.size()), rounded to the dtype, whatever the strides.
void overwrite(Array& array, const std::vector<double>& values);

/// Of all tensors of a problem together: a measure of what asking it costs.
std::int64_t elements_of_inputs(const Problem& problem);

/// True where no two indices share a storage element.
bool has_distinct_elements(const Array& array);

/// How one element stands to the truth.
enum class Standing : char { right = '.', value = 'x', nan = 'N', inf = 'I' };

/// NaN and infinity first; then `diff <= bound`, written so that NaN never passes. A truth that is NaN or infinite asks
/// for the same; a finite answer there is a wrong value.
inline Standing stand(double got, double truth, double bound) {
    const double difference = std::fabs(got - truth);
    if (difference <= bound && std::isfinite(difference)) return Standing::right;
    if (std::isnan(got)) return std::isnan(truth) ? Standing::right : Standing::nan;
    if (std::isinf(got)) return got == truth ? Standing::right : Standing::inf;
    return Standing::value;
}

/// True where `a` and `b` cannot be the same quantity: farther apart than `allowed`, or unlike in NaN or infinity.
inline bool differ(double a, double b, double allowed) {
    if (std::isfinite(a) && std::isfinite(b)) return !(std::fabs(a - b) <= allowed);
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) != std::isnan(b);
    return a != b;
}

} // namespace assay

#endif
