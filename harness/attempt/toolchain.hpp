// The compiler and linker that attempts are built with, found by probing.
#ifndef ASSAY_ATTEMPT_TOOLCHAIN_HPP
#define ASSAY_ATTEMPT_TOOLCHAIN_HPP

#include "core/outcome.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct Toolchain {
    enum class Family { gcc, clang };
    Family family = Family::gcc;
    std::filesystem::path compiler; // absolute, links resolved
    std::string version;            // "g++ 12.2.0"
    std::string linker;             // "mold", "lld", or "" for the compiler's own
    std::string identity;           // changes whenever compiler or linker does; part of every cache key
};

/// Finds `wanted` (a name or a path; "" = g++, then clang++). What probing learned is kept in the cache by the
/// compiler's path, size and time, so that a known compiler costs no process. Failure (verdict SKIP, environment):
/// "no C++ compiler: ...; install one with ...".
Outcome<Toolchain> find_toolchain(std::string_view wanted, const std::filesystem::path& cache);

/// Every compiler found on PATH, for `assay doctor`.
std::vector<Toolchain> all_toolchains(const std::filesystem::path& cache);

} // namespace assay

#endif
