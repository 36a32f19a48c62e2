// What of the system a confined program needs to see: its libraries, and to compile, the compiler's own files.
#ifndef ASSAY_SANDBOX_SYSTEM_FILES_HPP
#define ASSAY_SANDBOX_SYSTEM_FILES_HPP

#include <filesystem>
#include <string>
#include <vector>

namespace assay {

/// Whether `path` is `folder` or below it, by their names.
bool lies_in(const std::filesystem::path& path, const std::filesystem::path& folder);

/// Folders and files that exist, in which programs and libraries may be run.
std::vector<std::filesystem::path> system_libraries();

/// Those, and what `compiler` (a path) needs to compile and link.
std::vector<std::filesystem::path> system_for_compiling(const std::filesystem::path& compiler);

/// This program, where it lies in one of `folders`: it carries the exercises' solutions.
std::vector<std::filesystem::path> to_be_hidden(const std::vector<std::filesystem::path>& folders);

/// assay-confine of this installation.
std::filesystem::path confine_program();

} // namespace assay

#endif
