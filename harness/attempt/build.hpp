// An attempt's source becomes a shared object: staged apart, compiled with its own headers precompiled, linked with the
// exercise's entry object, kept by content.
#ifndef ASSAY_ATTEMPT_BUILD_HPP
#define ASSAY_ATTEMPT_BUILD_HPP

#include "attempt/device_compiler.hpp"
#include "attempt/toolchain.hpp"
#include "core/outcome.hpp"
#include "sandbox/layers.hpp"

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace assay {

/// What a build takes from the exercise and the installation.
struct BuildInputs {
    std::filesystem::path contract;            // folder that holds the contract
    std::filesystem::path headers;             // folder that holds assay/tensor.hpp
    std::filesystem::path entry_object;        // PIC object with the contract's table of (weak) functions
    std::vector<std::string> flags;            // "-std=c++20", "-O2", ...
    std::vector<std::string> libraries = {};   // "hwy": linked after the source
    std::filesystem::path cuda = {};           // of an attempt in CUDA: folder of the emulation's headers; else ""
    std::optional<DeviceCompiler> device = {}; // of an attempt in CUDA that is to run on a GPU, in the place of `cuda`
    std::filesystem::path device_sources = {}; // with that: folder that holds worker/entry_cuda.cpp

    /// "contract.hpp"; in CUDA "contract.cuh".
    std::string contract_name() const { return cuda.empty() && !device ? "contract.hpp" : "contract.cuh"; }
};

struct BuildOptions {
    bool colour = false;   // diagnostics with the compiler's colours
    bool sanitise = false; // -fsanitize=address,undefined -g -O1: for a crash's second look
    bool use_precompiled = true;
    bool make_precompiled = true;        // where there is none yet: in the background, for the next build
    std::filesystem::path cache;         // root of Assay's cache; made when missing
    std::chrono::seconds time_limit{30}; // CPU time
    std::uint64_t memory_limit = std::uint64_t{4} << 30;
    const Layers* layers = &layers_here(); // of isolation
};

/// How long a build may take by the clock: CPU time counts, this is for a machine that does not give any.
inline std::chrono::seconds wall_limit(const BuildOptions& options) { return 6 * options.time_limit; }

struct Built {
    std::filesystem::path library;
    std::filesystem::path preload;    // sanitised builds: the sanitiser's run-time library to load first
    std::filesystem::path symboliser; // and the program that it finds lines with; "" where it does so itself
    Toolchain toolchain;
    std::string source_name; // "sdpa.cpp"
    std::string source_hash; // of every staged file
    bool cached = false;
    double milliseconds = 0;
    std::vector<std::string> notes; // "contract.hpp beside the attempt differs ...: the exercise's own was used"
};

/// Compiles `source` (with the headers beside it that it includes by quotes). Failures:
///   CE   it does not compile or link, includes a file by a path of this machine, or (CUDA) uses what the emulation has
///        not; `detail` holds the diagnostics, paths relative to the attempt
///   SKIP the file is missing, empty, too large, not a regular file (wrong usage: exit 2)
///   JE   the toolchain or the cache failed, or the machine is too busy
/// The same sources, flags and toolchain give the kept result without starting a process (sanitised: one, which asks
/// for `preload`).
Outcome<Built> build(const std::filesystem::path& source, const BuildInputs& inputs, const Toolchain& toolchain,
                     const BuildOptions& options);

/// What Built::source_hash of this source is now, in any language. Failures as build() has them before it compiles.
Outcome<std::string> source_hash_of(const std::filesystem::path& source);

/// Makes, and waits for, the precompiled headers that building these sources in this process can share: for lists of
/// headers that enough of them, not kept yet, begin with, among others perhaps. What cannot be built is left
/// to build().
void precompile_for(const std::vector<std::filesystem::path>& sources, const BuildInputs& inputs,
                    const Toolchain& toolchain, const BuildOptions& options);

/// Why each of these contract functions (scope::name, readable signature) is missing from the library: a near miss
/// ("your attention(...) takes double where the contract has float") or plain absence. One sentence each, same order.
struct WantedFunction {
    std::string scope, name, readable;
};
std::vector<std::string> explain_missing(const std::filesystem::path& library,
                                         const std::vector<WantedFunction>& wanted,
                                         const Layers& layers = layers_here());

/// Lets builds that go on in the background (a precompiled header for the next time) end, and deletes the temporary
/// folder that stood in for a cache that cannot be written, with the libraries in it. Called before the program exits.
void finish_background_builds();

} // namespace assay

#endif
