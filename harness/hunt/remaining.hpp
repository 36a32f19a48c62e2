// How many planted bugs an attempt still has, told by its behaviour alone.
#ifndef ASSAY_HUNT_REMAINING_HPP
#define ASSAY_HUNT_REMAINING_HPP

#include "core/attempt.hpp"
#include "hunt/plant.hpp"

#include <cstdint>
#include <optional>

namespace assay {

/// The size of the smallest subset of the planted bugs whose program answers as the attempt does on every case of the
/// hunt's levels. Nothing where it behaves like no subset: another bug came in, or the attempt fails to answer.
/// `exercise` is the hunt's; the attempt is asked each case once, afresh at each level.
std::optional<int> count_remaining(const Hunt& hunt, const Exercise& exercise, const Template& whole,
                                   const Planted& planted, Attempt& attempt, std::uint64_t seed);

} // namespace assay

#endif
