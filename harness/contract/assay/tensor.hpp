// A strided view of a tensor, with std::mdspan's vocabulary (extent, stride, rank, data, operator()).
// Attempts include this header, so it pulls in <cstddef> alone: it sets the compile time of every attempt.
#ifndef ASSAY_TENSOR_HPP
#define ASSAY_TENSOR_HPP

#include <cstddef>

#ifdef __CUDACC__
#define ASSAY_HD __host__ __device__
#else
#define ASSAY_HD
#endif

namespace assay {

namespace detail {
template <class T> struct remove_const { using type = T; };
template <class T> struct remove_const<const T> { using type = T; };
} // namespace detail

/// View of a rank-`Rank` tensor with elements `T` (const T: read only). It owns nothing and is cheap to copy.
/// Element (i, j, ...) lies at data()[i * stride(0) + j * stride(1) + ...]. Strides are in elements, >= 0, and need
/// not be those of a contiguous tensor: a transposed, stepped or broadcast (stride 0) view is a tensor like any other.
/// Elements are aligned to sizeof(T) and no further. An extent may be 0; nothing may be read through such a view.
template <class T, std::size_t Rank> class tensor {
    static_assert(Rank >= 1, "a tensor has at least one axis");

  public:
    using element_type = T;
    using value_type = typename detail::remove_const<T>::type;
    using index_type = std::ptrdiff_t;

    constexpr tensor() = default;

    /// `extents` and `strides` hold `Rank` entries each, strides in elements.
    ASSAY_HD constexpr tensor(T* data, const index_type* extents, const index_type* strides) : data_(data) {
        for (std::size_t axis = 0; axis < Rank; ++axis) {
            extents_[axis] = extents[axis];
            strides_[axis] = strides[axis];
        }
    }

    /// A view of mutable elements reads as a view of const ones.
    ASSAY_HD constexpr operator tensor<const T, Rank>() const { return {data_, extents_, strides_}; }

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

    /// The element at one index an axis; every index must lie in [0, extent).
    template <class... Index> ASSAY_HD constexpr T& operator()(Index... index) const {
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
