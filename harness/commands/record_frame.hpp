// What stands in a record whatever the attempt does: exercise, environment, levels that were not reached.
#ifndef ASSAY_COMMANDS_RECORD_FRAME_HPP
#define ASSAY_COMMANDS_RECORD_FRAME_HPP

#include "attempt/device_compiler.hpp"
#include "attempt/toolchain.hpp"
#include "catalogue/settings.hpp"
#include "core/exercise.hpp"
#include "core/record.hpp"
#include "python/interpreter.hpp"
#include "sandbox/layers.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace assay {

/// What makes a source run: a compiler, or Python.
struct Translator {
    Toolchain toolchain;
    bool emulated = false;                // the compiler's code is CUDA's, for the emulation
    std::optional<DeviceCompiler> device; // it is CUDA's, for a GPU
    std::optional<Interpreter> python;
};

/// Throws Stop (environment) where it is missing. `compiler` by name or path; "" = the first found.
Translator find_translator(const std::filesystem::path& source, const std::string& compiler);

/// Enters it into the environment, with the flags that a compiler is given.
void name_translator(const Translator& translator, const Settings& settings, Environment& environment);

/// All of it but the translator.
Environment environment_of(const Layers& layers);

/// The environment that a record of this source has now. Throws Stop (environment) where what translates it is missing.
Environment environment_for(const std::string& exercise, const std::filesystem::path& source,
                            const std::string& compiler);

struct ExerciseAtHand {
    Exercise exercise; // with its points
    Settings settings;
};

/// Throws Stop where there is none of this id, or its settings are at fault.
ExerciseAtHand exercise_at_hand(const std::string& id);

void name_exercise(const Exercise& exercise, const Settings& settings, Record& record);

/// Levels that were not reached, with the reason, so that a record always shows what there was to win; but those whose
/// ids `not_asked` holds.
void skip_all_levels(const Exercise& exercise, const std::string& reason, Record& record,
                     const std::vector<std::string>& not_asked = {});

/// Environment::device of an attempt that is run by the emulation.
inline constexpr const char* emulated_device = "cuda-emulated";

/// The record of an attempt of which there is nothing to tell but why: all levels skipped.
Record blank_record(const std::string& exercise, const std::string& source, Verdict verdict, const std::string& reason);

} // namespace assay

#endif
