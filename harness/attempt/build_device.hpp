// What building an attempt in CUDA for a GPU has beside any other: nvcc compiles it, and its entry with it.
#ifndef ASSAY_ATTEMPT_BUILD_DEVICE_HPP
#define ASSAY_ATTEMPT_BUILD_DEVICE_HPP

#include "attempt/build.hpp"
#include "attempt/build_cache.hpp"
#include "attempt/build_flags.hpp"
#include "core/outcome.hpp"

#include <string>
#include <vector>

namespace assay {

/// Adds nvcc, the architecture and the entry's sources to the hash. Failure (JE): a source cannot be read.
Outcome<Done> add_device_build(ContentHash& hash, const BuildInputs& inputs);

/// Copies the entry's sources, and the contract in C++ that they read the list of functions from, to the stage beside
/// the contract. False where that failed.
bool lay_device_sources(const Stage& stage, const BuildInputs& inputs);

/// Compiles and links `name` and the entry with nvcc, which starts the toolchain's compiler.
Command device_command(const Stage& stage, const std::string& name, const BuildInputs& inputs,
                       const Toolchain& toolchain, const BuildOptions& options);

/// The exercise's flags as nvcc takes them: its own as they are, the compiler's behind -Xcompiler.
std::vector<std::string> flags_for_nvcc(const std::vector<std::string>& flags);

} // namespace assay

#endif
