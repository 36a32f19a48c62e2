// What building an attempt in CUDA has beside any other: its sources are rewritten for the emulation first.
#ifndef ASSAY_ATTEMPT_BUILD_CUDA_HPP
#define ASSAY_ATTEMPT_BUILD_CUDA_HPP

#include "attempt/build_cache.hpp"
#include "attempt/build_staging.hpp"
#include "core/outcome.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace assay {

/// Whether the file is CUDA.
bool is_cuda(const std::filesystem::path& source);

/// The sources as C++ for the emulation, line by line where they were. Failure (CE): they use what it has not; `detail`
/// names each place as a compiler would.
Outcome<Sources> rewritten_for_emulation(const Sources& sources);

/// The headers that the rewritten attempt begins with, standard ones, light ones and the emulation's, in their order.
/// `headers` and `cuda` are the folders in which the latter lie.
std::vector<std::string> leading_headers(const Sources& sources, const std::string& contract,
                                         const std::filesystem::path& headers, const std::filesystem::path& cuda);

/// Adds the emulation's headers to the hash. False where there are none.
bool add_cuda_headers(ContentHash& hash, const std::filesystem::path& folder);

} // namespace assay

#endif
