// Levels and cases by the names that a person types.
#ifndef ASSAY_COMMANDS_KNOWN_NAMES_HPP
#define ASSAY_COMMANDS_KNOWN_NAMES_HPP

#include "core/exercise.hpp"
#include "judge/check.hpp"

#include <string>

namespace assay {

/// The level of this id or number; null where there is none.
const Level* find_level(const Exercise& exercise, const std::string& name);

/// Throws Stop where `options` name no level or no case of the exercise, with a list of those there are.
void require_known(const Exercise& exercise, const CheckOptions& options);

} // namespace assay

#endif
