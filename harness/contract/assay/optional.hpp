// An argument that may be absent, with std::optional's vocabulary and no standard header.
#ifndef ASSAY_OPTIONAL_HPP
#define ASSAY_OPTIONAL_HPP

#ifndef ASSAY_HD
#ifdef __CUDACC__
#define ASSAY_HD __host__ __device__
#else
#define ASSAY_HD
#endif
#endif

namespace assay {

/// Holds a `T` or nothing. `T` is a small value (a number, a tensor view) with a default constructor.
template <class T> class optional {
  public:
    using value_type = T;

    constexpr optional() = default;
    ASSAY_HD constexpr optional(const T& value) : value_(value), present_(true) {}

    ASSAY_HD constexpr bool has_value() const { return present_; }
    ASSAY_HD constexpr explicit operator bool() const { return present_; }

    /// The value; only where has_value().
    ASSAY_HD constexpr const T& operator*() const { return value_; }
    ASSAY_HD constexpr const T* operator->() const { return &value_; }
    ASSAY_HD constexpr const T& value() const { return value_; }
    ASSAY_HD constexpr T value_or(T other) const { return present_ ? value_ : other; }

  private:
    T value_{};
    bool present_ = false;
};

} // namespace assay

#endif
