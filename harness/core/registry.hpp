// Where an exercise's levels.cpp enters itself. No list names the exercises: CMake finds their folders.
#ifndef ASSAY_CORE_REGISTRY_HPP
#define ASSAY_CORE_REGISTRY_HPP

#include "core/exercise.hpp"

#include <string_view>
#include <vector>

namespace assay {

using ExerciseFactory = Exercise (*)();

/// Enters an exercise; called by a static object in its levels.cpp. Returns true.
bool enter_exercise(std::string_view id, ExerciseFactory factory);

/// Ids in alphabetical order.
std::vector<std::string_view> exercise_ids();

/// The exercise, built on first use; null where there is none of this id.
const Exercise* find_exercise(std::string_view id);

} // namespace assay

/// ASSAY_EXERCISE(sdpa) { Exercise e; ...; return e; }
#define ASSAY_EXERCISE(name)                                                                                           \
    static ::assay::Exercise assay_make_##name();                                                                      \
    [[maybe_unused]] static const bool assay_entered_##name = ::assay::enter_exercise(#name, &assay_make_##name);      \
    static ::assay::Exercise assay_make_##name()

#endif
