// What a program that runs under another user may read of ours: copies in a folder that everyone may enter.
#ifndef ASSAY_SANDBOX_RUN_FOLDER_HPP
#define ASSAY_SANDBOX_RUN_FOLDER_HPP

#include "core/outcome.hpp"
#include "sandbox/layers.hpp"

#include <filesystem>

namespace assay {

/// A folder of this process in TMPDIR (or /tmp), which others may enter but not list or write; made at the first call.
Outcome<std::filesystem::path> run_folder();
void remove_run_folder();

/// Where folders that a program writes to are made: in `own`, or where its user cannot reach that, in the run folder.
Outcome<std::filesystem::path> staging_root(const std::filesystem::path& own, const Layers& layers);

/// Lets every user enter and read it.
bool open_to_all(const std::filesystem::path& folder);

/// `path` itself where every user may read it (a folder: enter and read), else a link or copy in the run folder. What
/// lies in one folder stays in one folder.
Outcome<std::filesystem::path> offered(const std::filesystem::path& path);

} // namespace assay

#endif
