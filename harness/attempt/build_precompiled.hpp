// Precompiled headers, standard ones and the emulation's: exactly those that an attempt begins with, made in the
// background for the next time.
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
    std::vector<std::string> headers; // "vector", "cmath"
    std::vector<std::string> flags;   // code_flags()
    Toolchain toolchain;
    // Of an attempt in CUDA, whose headers are found in folders of ours and mean something by their order:
    std::vector<std::string> folders = {}; // "-isystem..."
    std::string content = {};              // hash of the files in them
    bool in_order() const { return !folders.empty(); }
};

/// The compiler's arguments that use the header, and the files that they name; none where it is not there yet.
struct PrecompiledUse {
    std::vector<std::string> arguments;
    std::vector<std::filesystem::path> files;
};
PrecompiledUse use_precompiled(const PrecompiledRecipe& recipe);

/// Whether a header of `list` gives this attempt nothing that it does not include itself: each stands in the recipe's
/// list, and where order means something, at its start.
bool serves(const std::vector<std::string>& list, const PrecompiledRecipe& recipe);

/// Starts making it, unless it is there, is being made (by whichever process), or could not be made before.
void make_precompiled_later(const PrecompiledRecipe& recipe);

/// Makes it and waits for it. From then on nearest_precompiled() knows of its list.
void share_precompiled(const PrecompiledRecipe& recipe);

/// The recipe itself where its header is there; else the one with most of its headers among those shared in this
/// process that serve it; else the recipe itself. The order of standard headers means nothing ([using.headers]).
PrecompiledRecipe nearest_precompiled(const PrecompiledRecipe& recipe);

/// Drops one that proved unusable.
void discard_precompiled(const PrecompiledRecipe& recipe);

/// Takes in the headers that are finished, without waiting.
void collect_finished_precompiled();

/// Waits until all are finished, a minute at most.
void wait_for_precompiled();

} // namespace assay

#endif
