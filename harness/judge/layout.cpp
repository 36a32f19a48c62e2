// Rebuilds strides from the innermost axis outwards, each with the gap the original had there.
#include "judge/layout.hpp"

#include "judge/elements.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace assay {

namespace {

/// Axes that step through storage, innermost first. Of two axes with one stride, the one of extent 1 lies inside.
std::vector<std::size_t> nesting(const Array& array) {
    std::vector<std::size_t> axes;
    for (std::size_t axis = 0; axis < array.rank(); ++axis)
        if (array.strides[axis] != 0) axes.push_back(axis);
    std::sort(axes.begin(), axes.end(), [&](std::size_t a, std::size_t b) {
        if (array.strides[a] != array.strides[b]) return array.strides[a] < array.strides[b];
        if (array.extents[a] != array.extents[b]) return array.extents[a] < array.extents[b];
        return a > b;
    });
    return axes;
}

/// Strides for `extents` with the gaps of `array`'s: a stride that is a multiple of what it steps over stays that
/// multiple, any other keeps its padding. Empty where axes overlap.
Index strides_like(const Array& array, const Index& extents) {
    Index strides(array.rank(), 0);
    std::int64_t slots = 1, new_slots = 1;
    for (const std::size_t axis : nesting(array)) {
        const std::int64_t stride = array.strides[axis];
        if (stride < slots) {
            if (array.extents[axis] > 1) return {};
            strides[axis] = stride; // an axis of one index steps nowhere
            continue;
        }
        strides[axis] = stride % slots == 0 ? new_slots * (stride / slots) : new_slots + (stride - slots);
        slots = stride * std::max<std::int64_t>(array.extents[axis], 1);
        new_slots = strides[axis] * std::max<std::int64_t>(extents[axis], 1);
    }
    return strides;
}

/// A storage element that no index reaches, or -1.
std::int64_t first_gap(const Array& array) {
    if (array.is_contiguous())
        return array.size() < array.storage_elements() ? (array.offset > 0 ? 0 : array.size()) : -1;
    std::vector<char> reached(static_cast<std::size_t>(array.storage_elements()), 0);
    for_each_index(array.extents, [&](const Index& index) {
        reached[static_cast<std::size_t>(
            std::inner_product(index.begin(), index.end(), array.strides.begin(), array.offset))] = 1;
    });
    const auto gap = std::find(reached.begin(), reached.end(), 0);
    return gap == reached.end() ? -1 : gap - reached.begin();
}

} // namespace

Array keep_along(const Array& array, std::size_t axis, std::span<const std::int64_t> keep) {
    Index extents = array.extents;
    extents[axis] = static_cast<std::int64_t>(keep.size());
    Index strides = array.size() == 0 ? Index{} : strides_like(array, extents);
    if (strides.empty()) return array.take(axis, keep);

    Array result;
    result.dtype = array.dtype;
    result.extents = std::move(extents);
    result.strides = std::move(strides);
    result.offset = array.offset;
    const std::size_t width = size_of(array.dtype);
    result.storage.resize(static_cast<std::size_t>(result.reach()) * width);
    if (const std::int64_t gap = first_gap(array); gap >= 0)
        for (std::size_t at = 0; at < result.storage.size(); at += width)
            std::memcpy(&result.storage[at], &array.storage[static_cast<std::size_t>(gap) * width], width);
    for_each_index(result.extents, [&](const Index& index) {
        std::int64_t from = array.offset, to = result.offset;
        for (std::size_t a = 0; a < index.size(); ++a) {
            const std::int64_t at = a == axis ? keep[static_cast<std::size_t>(index[a])] : index[a];
            from += at * array.strides[a];
            to += index[a] * result.strides[a];
        }
        std::memcpy(&result.storage[static_cast<std::size_t>(to) * width],
                    &array.storage[static_cast<std::size_t>(from) * width], width);
    });
    return result;
}

} // namespace assay
