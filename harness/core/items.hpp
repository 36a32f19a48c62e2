// The itemised answer of a calculator as truths: named numbers with units.
#ifndef ASSAY_CORE_ITEMS_HPP
#define ASSAY_CORE_ITEMS_HPP

#include "core/problem.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace assay {

/// Collects the items in the order of the contract's record: what follows from others comes after them, so that the
/// first wrong item is where the mistake was made.
class Items {
  public:
    /// A float64 item. `unit` is shown behind the number ("s", "B"; "" = a pure number). `ulps` roundings of 2^-53 are
    /// what a careful float64 implementation may lose: about one an operation, and the default allows 32. Where terms
    /// cancel, the bound is relative to `scale`, the largest of them. NaN and infinity are exact.
    Items& number(std::string name, double value, std::string unit = "", double ulps = 32, double scale = 0);
    /// A 64-bit integer item, exact.
    Items& whole(std::string name, std::int64_t value, std::string unit = "");
    /// An item that is one of several, by number; `legend` says what they are: "0 compute, 1 memory, 2 network".
    Items& choice(std::string name, std::int64_t value, const std::string& legend);
    /// A flag, exact.
    Items& flag(std::string name, bool value);
    /// A tensor (row-major), with its bounds.
    Items& tensor(std::string name, Index extents, std::vector<double> values, std::vector<double> bounds, Dtype dtype);

    Truths take() { return std::move(truths_); }

  private:
    Truths truths_;
    Items& add(std::string name, double value, double bound, std::string unit, Dtype dtype);
};

} // namespace assay

#endif
