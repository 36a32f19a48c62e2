// Collects an attempt's sources and copies them apart, so that a compile sees them and nothing else of the folder they
// came from.
#ifndef ASSAY_ATTEMPT_BUILD_STAGING_HPP
#define ASSAY_ATTEMPT_BUILD_STAGING_HPP

#include "core/outcome.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace assay {

struct StagedFile {
    std::filesystem::path name; // relative to the attempt's folder
    std::string text;
};

/// The attempt (first) and the headers it includes by quotes, or the modules beside it that it imports, read once: what
/// is hashed is what is compiled.
struct Sources {
    std::vector<StagedFile> files;
    std::vector<std::string> notes;
    const StagedFile& attempt() const { return files.front(); }
};

/// The text of a file beside the attempt, by its name; null where it is not among them. `sources` must outlive it.
std::function<const std::string*(const std::string& name)> beside_in(const Sources& sources);

constexpr std::size_t most_source_bytes = std::size_t{1} << 20;
constexpr std::size_t most_source_files = 64;

/// Reads `source` and what it includes by quotes, recursively, out of its own folder and those below. The contract and
/// the light headers (contract.hpp, contract.cuh, assay/...) are never taken from there: `contract` is the exercise's
/// text, and a note says so where the copy differs. Failure: SKIP for what cannot be an attempt, CE for includes by
/// absolute path. A source that ends in .py takes modules instead: name.py beside it for `import name`, but contract.py
/// and assay.
Outcome<Sources> collect_sources(const std::filesystem::path& source, const std::string& contract);

/// Writes all files below `folder`. False where that failed.
bool write_sources(const Sources& sources, const std::filesystem::path& folder);

/// How the compiler is given the attempt: never as something it takes for an option.
std::string compiler_name(const std::filesystem::path& name);

} // namespace assay

#endif
