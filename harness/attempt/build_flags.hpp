// The compiler's command line for an attempt.
#ifndef ASSAY_ATTEMPT_BUILD_FLAGS_HPP
#define ASSAY_ATTEMPT_BUILD_FLAGS_HPP

#include "attempt/build.hpp"
#include "sandbox/confined.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace assay {

/// Flags that change what code is made: the same for an attempt and its precompiled header, and part of both keys.
std::vector<std::string> code_flags(const BuildInputs& inputs, const Toolchain& toolchain, bool sanitise);

/// Where headers in <> are found beside the compiler's own.
std::vector<std::string> header_folders(const BuildInputs& inputs);

/// Where one compile finds and puts things. Paths below `folder` are given to the compiler relative to the attempt. It
/// may write to temporary() and made() alone.
struct Stage {
    std::filesystem::path folder; // of this build alone
    std::filesystem::path attempt() const { return folder / "attempt"; }
    std::filesystem::path rewritten() const { return folder / "rewritten"; } // CUDA: the attempt for the emulation
    std::filesystem::path contract() const { return folder / "contract"; }
    std::filesystem::path temporary() const { return folder / "temporary"; }
    std::filesystem::path made() const { return folder / "made"; }
    std::filesystem::path library() const { return made() / "library.so"; }
};

/// One call that compiles `name` and links it with the entry object. `precompiled` holds the arguments that use a
/// precompiled header, or none.
Command compile_command(const Stage& stage, const std::string& name, const BuildInputs& inputs,
                        const Toolchain& toolchain, const BuildOptions& options,
                        const std::vector<std::string>& precompiled);

/// What that call needs to see of the machine. `precompiled`: the files that its arguments name.
Needs compile_needs(const Stage& stage, const BuildInputs& inputs, const Toolchain& toolchain,
                    const BuildOptions& options, const std::vector<std::filesystem::path>& precompiled);

/// The sanitiser's run-time library that a plain program must load first. Failure (SKIP): it is not installed.
Outcome<std::filesystem::path> sanitiser_runtime(const Toolchain& toolchain);

/// The program that this library starts to find lines, as clang's does; "" where it needs none or there is none.
std::filesystem::path symboliser(const Toolchain& toolchain);

} // namespace assay

#endif
