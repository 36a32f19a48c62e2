// Precompiled standard headers: exactly those that an attempt begins with, made in the background for the next time.
#ifndef ASSAY_ATTEMPT_BUILD_PRECOMPILED_HPP
#define ASSAY_ATTEMPT_BUILD_PRECOMPILED_HPP

#include "attempt/toolchain.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace assay {

/// What a precompiled header is made from; all of it is in its name.
struct PrecompiledRecipe {
    std::filesystem::path cache;
    std::vector<std::string> headers; // "vector", "cmath", in the attempt's order
    std::vector<std::string> flags;   // code_flags()
    Toolchain toolchain;
};

/// The compiler's arguments that use the header, or none where it is not there yet.
std::vector<std::string> use_precompiled(const PrecompiledRecipe& recipe);

/// Starts making it, unless it is there, is being made (by whichever process), or could not be made before.
void make_precompiled_later(const PrecompiledRecipe& recipe);

/// Makes it and waits for it, in place of make_precompiled_later().
void make_precompiled_now(const PrecompiledRecipe& recipe);

/// Drops one that proved unusable.
void discard_precompiled(const PrecompiledRecipe& recipe);

/// Takes in the headers that are finished, without waiting.
void collect_finished_precompiled();

/// Waits until all are finished, a minute at most.
void wait_for_precompiled();

} // namespace assay

#endif
