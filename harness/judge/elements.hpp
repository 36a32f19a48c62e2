// Reads an answer's elements fast, and holds one of them against the truth.
#ifndef ASSAY_JUDGE_ELEMENTS_HPP
#define ASSAY_JUDGE_ELEMENTS_HPP

#include "core/array.hpp"
#include "core/problem.hpp"

#include <cmath>
#include <cstring>
#include <vector>

namespace assay {

/// Calls right(value) for the elements in row-major order, as float64, until it is false; true where it never was. What
/// lies in memory one after another is read where it lies: most answers are held against a truth once and dropped.
template <class Right> bool while_elements(const Array& array, Right right);

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

template <class Right> bool while_elements(const Array& array, Right right) {
    const auto each = [&]<class Stored>(Stored stored) {
        const std::byte* from = array.storage.data() + static_cast<std::size_t>(array.offset) * sizeof stored;
        for (std::int64_t left = array.size(); left > 0; --left, from += sizeof stored) {
            std::memcpy(&stored, from, sizeof stored);
            if (!right(static_cast<double>(stored))) return false;
        }
        return true;
    };
    if (array.is_contiguous() && array.dtype == Dtype::f32) return each(float{});
    if (array.is_contiguous() && array.dtype == Dtype::f64) return each(double{});
    for (const double value : elements_of(array))
        if (!right(value)) return false;
    return true;
}

} // namespace assay

#endif
