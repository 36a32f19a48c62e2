// The judge's own tensor: a dtype, extents, strides, and the bytes they lie in.
#ifndef ASSAY_CORE_ARRAY_HPP
#define ASSAY_CORE_ARRAY_HPP

#include "core/dtype.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace assay {

using Index = std::vector<std::int64_t>;

/// Strided, owning. Element at index i lies at storage element offset + sum(i * stride). Strides are in elements, >= 0;
/// stride 0 repeats an element (inputs only). Storage may hold elements that no index reaches (gaps).
struct Array {
    Dtype dtype = Dtype::f32;
    Index extents;
    Index strides;
    std::int64_t offset = 0;
    std::vector<std::byte> storage;

    /// Row-major, all zero.
    static Array zeros(Dtype dtype, Index extents);
    /// Row-major with these values (as many as the extents' product), each rounded to the dtype.
    static Array of(Dtype dtype, Index extents, std::span<const double> values);
    /// Row-major, element by element from its index.
    static Array generate(Dtype dtype, Index extents, const std::function<double(const Index&)>& value);

    std::size_t rank() const { return extents.size(); }
    /// Product of the extents.
    std::int64_t size() const;
    std::int64_t storage_elements() const;

    double at(std::span<const std::int64_t> index) const;
    double at(std::initializer_list<std::int64_t> index) const { return at(std::span(index.begin(), index.size())); }
    void set(std::span<const std::int64_t> index, double value);
    /// Element by position in storage, whatever the strides say.
    double stored(std::int64_t element) const;

    /// All elements in row-major order of the index, as float64.
    std::vector<double> values() const;
    /// Raw bits of all elements in row-major order, for exact comparison.
    std::vector<std::uint64_t> bits() const;

    bool is_contiguous() const;
    /// Same elements, row-major storage.
    Array contiguous() const;
    /// Same elements laid out with axis order `order` outermost first (a permutation), each axis padded to take `step`
    /// storage slots an element (step >= 1): Array::laid_out({0,2,1,3}, {1,1,1,2}) is transposed and stepped.
    Array laid_out(std::span<const int> order, std::span<const std::int64_t> step) const;
    /// Keeps, on each axis, only the listed indices (in that order); row-major result.
    Array take(std::size_t axis, std::span<const std::int64_t> keep) const;

    /// Storage elements touched: [0, last reachable + 1). For an empty array: offset.
    std::int64_t reach() const;
};

/// Same dtype, layout and bytes, gaps included.
bool identical(const Array& a, const Array& b);

/// Visits every index of `extents` in row-major order.
void for_each_index(const Index& extents, const std::function<void(const Index&)>& visit);

/// "(2, 3, 5)".
std::string to_string(const Index& index);

} // namespace assay

#endif
