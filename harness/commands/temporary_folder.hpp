// A folder of our own that goes away with its object.
#ifndef ASSAY_COMMANDS_TEMPORARY_FOLDER_HPP
#define ASSAY_COMMANDS_TEMPORARY_FOLDER_HPP

#include <filesystem>

namespace assay {

class TemporaryFolder {
  public:
    /// Made in $TMPDIR or /tmp, for this user alone. Throws Stop (environment) where it cannot be.
    TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder();

    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

} // namespace assay

#endif
