// Draws the bugs of one hunt from a seed.
#ifndef ASSAY_HUNT_PLANT_HPP
#define ASSAY_HUNT_PLANT_HPP

#include "core/exercise.hpp"
#include "hunt/hunt.hpp"

#include <cstdint>

namespace assay {

/// At most so many at once: all their subsets are told apart.
inline constexpr int most_bugs = 6;

struct Planted {
    std::vector<int> bugs;    // positions in hunt.bugs, rising
    std::vector<int> choices; // a fragment a slot
};

/// A case of one of the hunt's levels.
struct HuntCase {
    const Level* level = nullptr;
    const Case* one = nullptr;
    Problem problem;
};
std::vector<HuntCase> cases_of(const Hunt& hunt, const Exercise& exercise, std::uint64_t seed);

/// The choices with only those of the planted bugs that `subset` has (bit i: planted.bugs[i]); where one is left out,
/// right code stands.
std::vector<int> with_bugs(const Hunt& hunt, const Template& whole, const Planted& planted, unsigned subset);

/// Whether any two subsets of the bugs differ on some case, the empty one included: none is without effect, none hides
/// another, no two cancel.
bool are_told_apart(const Hunt& hunt, const Template& whole, const Planted& planted,
                    const std::vector<HuntCase>& cases);

/// `count` bugs in slots of their own that are told apart on the exercise's cases, and for every other slot a right
/// fragment or a decoy. Same seed and version, same bugs, in every language. Fewer where the hunt has not so many.
Planted plant(const Hunt& hunt, const Exercise& exercise, const Template& whole, int count, std::uint64_t seed);

} // namespace assay

#endif
