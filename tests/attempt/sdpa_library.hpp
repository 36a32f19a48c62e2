// An attempt at sdpa built as the judge builds it, for tests of what its worker tells.
#ifndef ASSAY_TESTS_ATTEMPT_SDPA_LIBRARY_HPP
#define ASSAY_TESTS_ATTEMPT_SDPA_LIBRARY_HPP

#include "attempt/build.hpp"
#include "catalogue/files.hpp"
#include "catch.hpp"

#include <filesystem>

namespace assay::tests {

/// `source` is sdpa.cpp in a folder of the test's own, which holds the cache too.
inline std::filesystem::path sdpa_library(const std::filesystem::path& source) {
    const Layout& place = layout();
    const std::filesystem::path cache = source.parent_path() / "cache";
    const Outcome<Toolchain> toolchain = find_toolchain("", cache);
    REQUIRE(toolchain.ok());
    BuildOptions options;
    options.cache = cache;
    options.use_precompiled = false;
    const Outcome<Built> built =
        build(source, {place.contract("sdpa"), place.headers(), place.entry_object("sdpa"), {"-std=c++20", "-O1"}},
              *toolchain, options);
    INFO((built ? "" : built.failure().detail));
    REQUIRE(built.ok());
    return built->library;
}

} // namespace assay::tests

#endif
