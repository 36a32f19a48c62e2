// What an item of a result holds until it is set.
#ifndef ASSAY_UNSET_HPP
#define ASSAY_UNSET_HPP

namespace assay {

/// A NaN that says "nobody has set this". A result that holds it where a number is right is reported as never set;
/// where the contract asks for NaN (invalid input), leaving every item unset is right: `return {};`.
inline constexpr double unset = __builtin_nan("0x455");

/// The same for an integer item.
inline constexpr long unset_integer = -0x7fffffffffffffffL - 1;

} // namespace assay

#endif
