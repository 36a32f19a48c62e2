// A strided view of a tensor in device memory: what assay/tensor.hpp is to host code, for CUDA contracts.
#ifndef ASSAY_DEVICE_HPP
#define ASSAY_DEVICE_HPP

#include <cstddef>

#ifndef ASSAY_HD
#ifdef __CUDACC__
#define ASSAY_HD __host__ __device__
#else
#define ASSAY_HD
#endif
#endif
#ifdef __CUDACC__
#define ASSAY_DEVICE __device__
#else
#define ASSAY_DEVICE
#endif

namespace assay {

/// View of a rank-`Rank` tensor with elements `T` (const T: read only) that lie in device memory: kernels read and
/// write them, host code only hands the view on, by value. Element (i, j, ...) lies at
/// data()[i * stride(0) + j * stride(1) + ...]; strides are in elements, >= 0, and need not be those of a contiguous
/// tensor. Elements are aligned to sizeof(T) and no further. An extent may be 0; nothing may be read through such a
/// view.
template <class T, std::size_t Rank> class device_view {
    static_assert(Rank >= 1, "a tensor has at least one axis");

  public:
    using element_type = T;
    using index_type = std::ptrdiff_t;

    constexpr device_view() = default;

    /// `data` is a device pointer; `extents` and `strides` hold `Rank` entries each, strides in elements.
    ASSAY_HD constexpr device_view(T* data, const index_type* extents, const index_type* strides) : data_(data) {
        for (std::size_t axis = 0; axis < Rank; ++axis) {
            extents_[axis] = extents[axis];
            strides_[axis] = strides[axis];
        }
    }

    /// A view of mutable elements reads as a view of const ones.
    template <class U>
    requires(__is_same(const U, T) && !__is_same(U, T)) ASSAY_HD
        constexpr device_view(const device_view<U, Rank>& other)
        : data_(other.data()) {
        for (std::size_t axis = 0; axis < Rank; ++axis) {
            extents_[axis] = other.extent(axis);
            strides_[axis] = other.stride(axis);
        }
    }

    ASSAY_HD static constexpr std::size_t rank() { return Rank; }
    ASSAY_HD constexpr index_type extent(std::size_t axis) const { return extents_[axis]; }
    ASSAY_HD constexpr index_type stride(std::size_t axis) const { return strides_[axis]; }
    ASSAY_HD constexpr T* data() const { return data_; }

    /// Number of elements: the product of the extents.
    ASSAY_HD constexpr index_type size() const {
        index_type count = 1;
        for (std::size_t axis = 0; axis < Rank; ++axis) count *= extents_[axis];
        return count;
    }

    /// The element at one index an axis, in device code; every index must lie in [0, extent).
    template <class... Index> ASSAY_DEVICE constexpr T& operator()(Index... index) const {
        static_assert(sizeof...(Index) == Rank, "give one index for each axis of the tensor");
        index_type offset = 0;
        std::size_t axis = 0;
        ((offset += static_cast<index_type>(index) * strides_[axis++]), ...);
        return data_[offset];
    }

  private:
    T* data_ = nullptr;
    index_type extents_[Rank] = {};
    index_type strides_[Rank] = {};
};

} // namespace assay

#endif
