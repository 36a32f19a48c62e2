// Makes a level in one line, as an exercise's levels.cpp lists them.
#ifndef ASSAY_CORE_LEVEL_HPP
#define ASSAY_CORE_LEVEL_HPP

#include "core/exercise.hpp"

namespace assay {

/// A must level; a bonus one is it with `must` set to false. Points come from exercise.toml.
Level make_level(std::string id, std::string title, std::vector<std::string> functions, std::vector<Case> cases);

} // namespace assay

#endif
