// A folder of our own that goes away with its object.
#ifndef ASSAY_COMMANDS_SCRATCH_FOLDER_HPP
#define ASSAY_COMMANDS_SCRATCH_FOLDER_HPP

#include <filesystem>

namespace assay {

class ScratchFolder {
  public:
    /// Made in $TMPDIR or /tmp, for this user alone. Throws Stop (environment) where it cannot be.
    ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    ~ScratchFolder();

    const std::filesystem::path& path() const { return path_; }
    /// Leaves it behind.
    void keep() { kept_ = true; }

  private:
    std::filesystem::path path_;
    bool kept_ = false;
};

} // namespace assay

#endif
