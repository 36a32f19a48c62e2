// What Assay keeps between runs: libraries and precompiled headers by content, in a folder that may be deleted at any
// time.
#ifndef ASSAY_ATTEMPT_BUILD_CACHE_HPP
#define ASSAY_ATTEMPT_BUILD_CACHE_HPP

#include "core/outcome.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace assay {

/// A 128-bit content hash (XXH3) over fields; each field's length is hashed too, so that "ab", "c" and "a", "bc"
/// differ.
class ContentHash {
  public:
    ContentHash();
    ~ContentHash();
    ContentHash(const ContentHash&) = delete;
    ContentHash& operator=(const ContentHash&) = delete;

    ContentHash& add(std::string_view field);
    std::string hex() const; // 32 digits

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// The bytes of a regular file, or nothing where it cannot be read or holds more than `most` bytes.
std::optional<std::string> read_file(const std::filesystem::path& path, std::uintmax_t most = 64 << 20);

/// Writes the file whole or not at all: into a name of its own beside it, then renamed.
bool write_file(const std::filesystem::path& path, std::string_view text);

/// A folder that can be written, and why it is not the one asked for.
struct CacheRoot {
    std::filesystem::path folder;
    std::string note; // "" where it is the one asked for
};

/// `wanted`, made when missing; where that fails (or it is ""), a temporary folder of this process, deleted by
/// remove_temporary_cache(). Failure (JE): not even that can be made.
Outcome<CacheRoot> cache_root(const std::filesystem::path& wanted);
void remove_temporary_cache();

/// A fresh folder under `root`, deleted with all it holds at the end of its scope.
class TemporaryFolder {
  public:
    static Outcome<TemporaryFolder> make(const std::filesystem::path& root);
    TemporaryFolder(TemporaryFolder&& other) noexcept;
    TemporaryFolder& operator=(TemporaryFolder&& other) noexcept;
    ~TemporaryFolder();
    const std::filesystem::path& path() const { return path_; }

  private:
    explicit TemporaryFolder(std::filesystem::path path) : path_(std::move(path)) {}
    std::filesystem::path path_;
};

/// The kept file of this name, where it is there and undamaged; marks it as used.
std::optional<std::filesystem::path> find_kept(const std::filesystem::path& folder, const std::string& name);

/// Copies `file` into the cache: a regular file with one name and no link, as a compiler makes it. The copy is ours, so
/// that nobody who could write to the file can write to it. Gives its new path, or nothing where that failed.
std::optional<std::filesystem::path> keep(const std::filesystem::path& folder, const std::string& name,
                                          const std::filesystem::path& file);

/// Deletes what was used longest ago until the cache holds at most `most` bytes, and temporary folders that a killed
/// process left. Looks at most once in `pause`.
void prune_cache(const std::filesystem::path& root, std::uintmax_t most = std::uintmax_t{512} << 20,
                 std::chrono::seconds pause = std::chrono::hours(1));

} // namespace assay

#endif
