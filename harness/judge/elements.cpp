// Reads and writes strided elements without a function call an element: comparing runs on every case, twice.
#include "judge/elements.hpp"

#include <assay/half.hpp>
#include <cstring>

namespace assay {

namespace {

/// Calls visit(storage element) for every index in row-major order.
template <class Visit> void each_element(const Array& array, Visit visit) {
    const std::int64_t size = array.size();
    if (size == 0) return;
    if (array.is_contiguous()) {
        for (std::int64_t i = 0; i < size; ++i) visit(array.offset + i);
        return;
    }
    Index index(array.rank(), 0);
    std::int64_t element = array.offset;
    for (std::int64_t seen = 0; seen < size; ++seen) {
        visit(element);
        for (std::size_t axis = array.rank(); axis-- > 0;) {
            element += array.strides[axis];
            if (++index[axis] < array.extents[axis]) break;
            element -= array.strides[axis] * array.extents[axis];
            index[axis] = 0;
        }
    }
}

template <class Stored, class Convert> std::vector<double> read_as(const Array& array, Convert convert) {
    std::vector<double> values(static_cast<std::size_t>(array.size()));
    double* to = values.data();
    const std::byte* from = array.storage.data();
    each_element(array, [&](std::int64_t element) {
        Stored stored;
        std::memcpy(&stored, from + static_cast<std::size_t>(element) * sizeof stored, sizeof stored);
        *to++ = convert(stored);
    });
    return values;
}

} // namespace

std::vector<double> elements_of(const Array& array) {
    const auto as_double = [](auto stored) { return static_cast<double>(stored); };
    switch (array.dtype) {
    case Dtype::f32: return read_as<float>(array, as_double);
    case Dtype::f64: return read_as<double>(array, as_double);
    case Dtype::f16:
        return read_as<std::uint16_t>(
            array, [](std::uint16_t bits) { return static_cast<double>(static_cast<float>(half::from_bits(bits))); });
    case Dtype::bf16:
        return read_as<std::uint16_t>(array, [](std::uint16_t bits) {
            return static_cast<double>(static_cast<float>(bfloat16::from_bits(bits)));
        });
    case Dtype::boolean: return read_as<std::uint8_t>(array, [](std::uint8_t bits) { return bits != 0 ? 1.0 : 0.0; });
    case Dtype::i32: return read_as<std::int32_t>(array, as_double);
    case Dtype::i64: return read_as<std::int64_t>(array, as_double);
    }
    return {};
}

void overwrite(Array& array, const std::vector<double>& values) {
    const std::size_t width = size_of(array.dtype);
    std::size_t next = 0;
    each_element(array, [&](std::int64_t element) {
        store(array.dtype, array.storage.data() + static_cast<std::size_t>(element) * width, values[next++]);
    });
}

std::int64_t elements_of_inputs(const Problem& problem) {
    std::int64_t elements = 0;
    for (const Field& field : problem.fields)
        if (const Array* array = std::get_if<Array>(&field.value)) elements += array->size();
    return elements;
}

bool has_distinct_elements(const Array& array) {
    if (array.is_contiguous()) return true;
    std::vector<char> taken(static_cast<std::size_t>(array.reach()), 0);
    bool distinct = true;
    each_element(array, [&](std::int64_t element) {
        char& slot = taken[static_cast<std::size_t>(element)];
        distinct = distinct && slot == 0;
        slot = 1;
    });
    return distinct;
}

} // namespace assay
