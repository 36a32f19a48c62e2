// A tensor of a contract call in CUDA, and what can be said of its elements: on a device and where one is emulated.
#ifndef ASSAY_WORKER_DEVICE_TENSOR_HPP
#define ASSAY_WORKER_DEVICE_TENSOR_HPP

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace assay {

/// A tensor of the call as the judge has it in its arena.
struct DeviceTensor {
    const char* parameter;                        // its place in the contract's list of names
    unsigned char* data;                          // element (0, ..., 0)
    std::size_t element;                          // bytes of one
    std::vector<std::ptrdiff_t> extents, strides; // in elements
    bool writable;
    double (*value)(const void* element);
};

/// The place of a parameter in a list of names with spaces between: names + the characters before it.
inline const char* name_at(const char* names, std::size_t number) {
    for (; number > 0; --number) {
        names += std::strcspn(names, " ");
        names += std::strspn(names, " ");
    }
    return names;
}

/// Bytes from the first element that an index reaches to the end of the last one.
inline std::size_t span_of(const DeviceTensor& tensor) {
    std::size_t last = 0;
    for (std::size_t axis = 0; axis < tensor.extents.size(); ++axis) {
        if (tensor.extents[axis] == 0) return 0;
        last += static_cast<std::size_t>((tensor.extents[axis] - 1) * tensor.strides[axis]);
    }
    return (last + 1) * tensor.element;
}

/// Calls `visit(offset in bytes, index)` for each element in row-major order.
template <class Visit> void each_element(const DeviceTensor& tensor, Visit visit) {
    std::vector<std::ptrdiff_t> index(tensor.extents.size(), 0);
    for (const std::ptrdiff_t extent : tensor.extents)
        if (extent == 0) return;
    for (;;) {
        std::ptrdiff_t at = 0;
        for (std::size_t axis = 0; axis < tensor.extents.size(); ++axis) at += index[axis] * tensor.strides[axis];
        visit(static_cast<std::size_t>(at) * tensor.element, index);
        std::size_t axis = tensor.extents.size();
        while (axis > 0 && ++index[axis - 1] == tensor.extents[axis - 1]) index[--axis] = 0;
        if (axis == 0) return;
    }
}

inline std::string name_of(const DeviceTensor& tensor) {
    return std::string(tensor.parameter, std::strcspn(tensor.parameter, " "));
}

inline std::string element_name(const DeviceTensor& tensor, const std::vector<std::ptrdiff_t>& index) {
    std::string text = name_of(tensor) + "(";
    for (const std::ptrdiff_t i : index) text += (text.back() == '(' ? "" : ", ") + std::to_string(i);
    return text + ")";
}

inline std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", value);
    return text;
}

/// Half of the values may be rubbish, so that only finite ones say how large the tensor's numbers are.
inline double largest(const DeviceTensor& tensor, const unsigned char* data) {
    double most = 0;
    each_element(tensor, [&](std::size_t at, const auto&) {
        const double value = std::fabs(tensor.value(data + at));
        if (std::isfinite(value) && value > most) most = value;
    });
    return most;
}

/// Sums of floats in another order differ by some 1e-6 of what is summed, and one rounding to bfloat16 by 2^-8.
inline bool other_than_by_order(double a, double b, double scale) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) != std::isnan(b);
    if (std::isinf(a) || std::isinf(b)) return a != b;
    return !(std::fabs(a - b) <= std::ldexp(scale, -6));
}

} // namespace assay

#endif
