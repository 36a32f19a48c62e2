// Where things lie: the installation's own parts, the source checkout, the cache and the state folder.
#ifndef ASSAY_CATALOGUE_FILES_HPP
#define ASSAY_CATALOGUE_FILES_HPP

#include <filesystem>
#include <string>
#include <string_view>

namespace assay {

/// The parts of a build tree or an installation; both have bin/assay and libexec/assay side by side.
struct Layout {
    std::filesystem::path executable; // this program
    std::filesystem::path root;       // folder that holds bin/ and libexec/
    std::filesystem::path sources;    // of a build tree: the checkout; "" = an installation, with share/ beside bin/

    std::filesystem::path worker(std::string_view exercise) const;
    std::filesystem::path entry_object(std::string_view exercise) const;
    std::filesystem::path cuda_entry_object(std::string_view exercise) const;
    /// Folder that holds the emulation's cuda_runtime.h.
    std::filesystem::path cuda_headers() const;
    /// Folder that holds worker/entry_cuda.cpp and what that is compiled with for a GPU.
    std::filesystem::path device_sources() const;
    /// Folder that holds the exercise's contract.hpp.
    std::filesystem::path contract(std::string_view exercise) const;
    /// Folder that holds assay/tensor.hpp.
    std::filesystem::path headers() const;
};

/// Found from the running executable's own place, once.
const Layout& layout();

/// The layout around `executable`, which was built from `source`.
Layout layout_of(const std::filesystem::path& executable, const std::filesystem::path& source);

/// The source checkout this program was built from; "" where it is gone.
std::filesystem::path source_checkout();

/// Assay's cache of builds: $ASSAY_CACHE_DIR, else $XDG_CACHE_HOME/assay, else ~/.cache/assay.
std::filesystem::path cache_folder();

/// Where progress is kept: $XDG_STATE_HOME/assay, else ~/.local/state/assay.
std::filesystem::path state_folder();

/// The text of a file; "" with `ok` false where it cannot be read whole (at most `most` bytes, regular files only).
std::string read_text(const std::filesystem::path& path, bool& ok, std::size_t most = std::size_t{16} << 20);

/// Writes beside `path` and renames, so that it is there whole or not at all; makes missing folders. Gives the reason
/// where it failed, else "".
std::string write_text(const std::filesystem::path& path, std::string_view text);

} // namespace assay

#endif
