// Asks a compiler what it is, by running it; remembers the answer while nothing it stands on changes.
#ifndef ASSAY_ATTEMPT_TOOLCHAIN_PROBE_HPP
#define ASSAY_ATTEMPT_TOOLCHAIN_PROBE_HPP

#include "attempt/toolchain.hpp"

#include <optional>

namespace assay {

/// The program of this name on PATH, links resolved (a masquerading ccache is passed over); only absolute entries of
/// PATH count.
std::optional<std::filesystem::path> find_program(const std::string& name);

/// What is known of `compiler` from the cache, or from probing it, which compiles and links a small library with each
/// fast linker in turn. Failure (SKIP): it is no C++20 compiler or lacks its library; the detail holds what it wrote.
Outcome<Toolchain> known_or_probed(const std::filesystem::path& compiler, const std::filesystem::path& cache);

/// What every call of the compiler begins with: its path, and what makes it a C++ driver whatever it is called.
std::vector<std::string> driver(const Toolchain& toolchain);

/// The linker's program on PATH, and what that links to; nothing for the compiler's own.
std::vector<std::filesystem::path> linker_files(const Toolchain& toolchain);

/// "-fuse-ld=..." for the toolchain's linker; empty for the compiler's own.
std::vector<std::string> linker_flags(const Toolchain& toolchain);

} // namespace assay

#endif
