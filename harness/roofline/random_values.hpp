// What GPUs are given to multiply and to move: pseudo-random, since their power, and with it their clock, depends on
// how many bits change.
#ifndef ASSAY_ROOFLINE_RANDOM_VALUES_HPP
#define ASSAY_ROOFLINE_RANDOM_VALUES_HPP

#include "roofline/gpu.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace assay::roofline {

/// Uniform in [-1, 1), rounded to the type of a matrix's elements. A buffer of them repeats with a prime period, so
/// that no two rows of a matrix are alike.
class RandomValues {
  public:
    static constexpr std::int64_t period = 65'521;
    static constexpr double mean_square = 1.0 / 3;

    RandomValues(Precision precision, std::string_view stream);

    const std::byte* data() const { return bytes_.data(); }
    std::size_t size() const { return bytes_.size(); } // bytes of one period
    /// The element at `index` of a buffer that holds them from its beginning.
    double at(std::int64_t index) const;
    /// An element as it lies in memory.
    static double read(Precision precision, const std::byte* from);

  private:
    Precision precision_;
    std::vector<std::byte> bytes_;
};

} // namespace assay::roofline

#endif
