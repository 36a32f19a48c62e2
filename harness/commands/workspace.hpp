// A workspace: the files an attempt starts from, laid so that none that was edited is ever overwritten.
#ifndef ASSAY_COMMANDS_WORKSPACE_HPP
#define ASSAY_COMMANDS_WORKSPACE_HPP

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct WorkspaceFile {
    std::string path; // in the workspace
    std::string text;
};

/// Statement, contract, this source as <exercise>.cpp, and what an editor with clangd needs.
std::vector<WorkspaceFile> cpp_workspace(const std::string& exercise, const std::string& source);
/// Statement, contract (the C++ one as well: what its comments say stands nowhere else), this source as <exercise>.py,
/// and the module that it imports.
std::vector<WorkspaceFile> python_workspace(const std::string& exercise, const std::string& source);

/// FNV-1a, 16 hex digits: enough to see whether a text is still the same.
std::string fingerprint(std::string_view text);

/// Statement, contract (that of C++ as well, which says what each argument means), this source as <exercise>.cu, and
/// the light headers that it includes.
std::vector<WorkspaceFile> cuda_workspace(const std::string& exercise, const std::string& source);

struct LaidFiles {
    int written = 0;
    std::vector<std::string> kept; // edited since they were laid
};

/// Writes the files that are missing or unedited. Throws Stop (usage) where the folder cannot be used.
LaidFiles lay(const std::filesystem::path& folder, const std::vector<WorkspaceFile>& files);

/// "8 files laid in sdpa." or that it is complete, and which were kept.
std::string told(const LaidFiles& laid, const std::string& folder);

} // namespace assay

#endif
