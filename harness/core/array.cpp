#include "core/array.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <stdexcept>

namespace assay {

namespace {

Index row_major(const Index& extents) {
    Index strides(extents.size());
    std::int64_t step = 1;
    for (std::size_t axis = extents.size(); axis-- > 0;) {
        strides[axis] = step;
        step *= extents[axis];
    }
    return strides;
}

std::int64_t product(const Index& extents) {
    return std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
}

std::int64_t element_of(const Array& array, std::span<const std::int64_t> index) {
    if (index.size() != array.rank()) throw std::logic_error("an index has one entry an axis");
    std::int64_t element = array.offset;
    for (std::size_t axis = 0; axis < index.size(); ++axis) {
        if (index[axis] < 0 || index[axis] >= array.extents[axis]) throw std::logic_error("index out of range");
        element += index[axis] * array.strides[axis];
    }
    return element;
}

const std::byte* byte_of(const Array& array, std::int64_t element) {
    return array.storage.data() + static_cast<std::size_t>(element) * size_of(array.dtype);
}

} // namespace

bool identical(const Array& a, const Array& b) {
    // vector's own comparison goes byte by byte (g++ 12).
    return a.dtype == b.dtype && a.extents == b.extents && a.strides == b.strides && a.offset == b.offset &&
           a.storage.size() == b.storage.size() &&
           (a.storage.empty() || std::memcmp(a.storage.data(), b.storage.data(), a.storage.size()) == 0);
}

void for_each_index(const Index& extents, const std::function<void(const Index&)>& visit) {
    if (product(extents) == 0) return;
    Index index(extents.size(), 0);
    while (true) {
        visit(index);
        std::size_t axis = extents.size();
        while (axis > 0 && ++index[axis - 1] == extents[axis - 1]) index[--axis] = 0;
        if (axis == 0) return;
    }
}

Array Array::zeros(Dtype dtype, Index extents) {
    Array array;
    array.dtype = dtype;
    array.strides = row_major(extents);
    array.storage.resize(static_cast<std::size_t>(product(extents)) * size_of(dtype));
    array.extents = std::move(extents);
    return array;
}

Array Array::of(Dtype dtype, Index extents, std::span<const double> values) {
    Array array = zeros(dtype, std::move(extents));
    if (static_cast<std::int64_t>(values.size()) != array.size())
        throw std::logic_error("as many values as elements, please");
    store_all(dtype, array.storage.data(), values);
    return array;
}

Array Array::generate(Dtype dtype, Index extents, const std::function<double(const Index&)>& value) {
    Array array = zeros(dtype, std::move(extents));
    std::byte* to = array.storage.data();
    for_each_index(array.extents, [&](const Index& index) {
        store(dtype, to, value(index));
        to += size_of(dtype);
    });
    return array;
}

std::int64_t Array::size() const { return product(extents); }

std::int64_t Array::storage_elements() const { return static_cast<std::int64_t>(storage.size() / size_of(dtype)); }

double Array::at(std::span<const std::int64_t> index) const {
    return load(dtype, byte_of(*this, element_of(*this, index)));
}

void Array::set(std::span<const std::int64_t> index, double value) {
    store(dtype, storage.data() + static_cast<std::size_t>(element_of(*this, index)) * size_of(dtype), value);
}

double Array::stored(std::int64_t element) const {
    if (element < 0 || element >= storage_elements()) throw std::logic_error("storage element out of range");
    return load(dtype, byte_of(*this, element));
}

std::vector<double> Array::values() const {
    std::vector<double> result;
    result.reserve(static_cast<std::size_t>(size()));
    if (is_contiguous()) {
        for (std::int64_t i = 0, n = size(); i < n; ++i) result.push_back(load(dtype, byte_of(*this, offset + i)));
        return result;
    }
    for_each_index(extents, [&](const Index& index) { result.push_back(at(index)); });
    return result;
}

std::vector<std::uint64_t> Array::bits() const {
    std::vector<std::uint64_t> result;
    result.reserve(static_cast<std::size_t>(size()));
    for_each_index(extents, [&](const Index& index) {
        std::uint64_t bits = 0; // little-endian hosts only, like the wire
        std::memcpy(&bits, byte_of(*this, element_of(*this, index)), size_of(dtype));
        result.push_back(bits);
    });
    return result;
}

bool Array::is_contiguous() const {
    const Index wanted = row_major(extents);
    for (std::size_t axis = 0; axis < rank(); ++axis)
        if (extents[axis] > 1 && strides[axis] != wanted[axis]) return false;
    return true;
}

Array Array::contiguous() const {
    Array result = zeros(dtype, extents);
    std::byte* to = result.storage.data();
    for_each_index(extents, [&](const Index& index) {
        std::memcpy(to, byte_of(*this, element_of(*this, index)), size_of(dtype));
        to += size_of(dtype);
    });
    return result;
}

Array Array::laid_out(std::span<const int> order, std::span<const std::int64_t> step) const {
    if (order.size() != rank() || step.size() != rank()) throw std::logic_error("one entry an axis, please");
    Array result;
    result.dtype = dtype;
    result.extents = extents;
    result.strides.resize(rank());
    std::int64_t slots = 1;
    for (std::size_t i = rank(); i-- > 0;) {
        const auto axis = static_cast<std::size_t>(order[i]);
        result.strides[axis] = slots * step[axis];
        slots *= std::max<std::int64_t>(extents[axis], 1) * step[axis];
    }
    result.storage.resize(static_cast<std::size_t>(size() == 0 ? 0 : slots) * size_of(dtype));
    for_each_index(extents, [&](const Index& index) { result.set(index, at(index)); });
    return result;
}

Array Array::take(std::size_t axis, std::span<const std::int64_t> keep) const {
    Index kept = extents;
    kept[axis] = static_cast<std::int64_t>(keep.size());
    Array result = zeros(dtype, kept);
    std::byte* to = result.storage.data();
    for_each_index(kept, [&](const Index& index) {
        Index from = index;
        from[axis] = keep[static_cast<std::size_t>(index[axis])];
        std::memcpy(to, byte_of(*this, element_of(*this, from)), size_of(dtype));
        to += size_of(dtype);
    });
    return result;
}

std::int64_t Array::reach() const {
    if (size() == 0) return offset;
    std::int64_t last = offset;
    for (std::size_t axis = 0; axis < rank(); ++axis) last += (extents[axis] - 1) * strides[axis];
    return last + 1;
}

std::string to_string(const Index& index) {
    std::string text = "(";
    for (std::size_t i = 0; i < index.size(); ++i) text += (i == 0 ? "" : ", ") + std::to_string(index[i]);
    return text + ")";
}

} // namespace assay
