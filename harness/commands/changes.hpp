// Waits for a source file, or a header or module beside it, to be saved.
#ifndef ASSAY_COMMANDS_CHANGES_HPP
#define ASSAY_COMMANDS_CHANGES_HPP

#include <chrono>
#include <filesystem>
#include <string>

namespace assay {

/// What is seen of the source and the headers (modules, where it is Python) beside it is compared with what was seen
/// before, so that an editor may write in place, or write beside and rename. inotify only says when to look; where it
/// fails, or is not wanted, the files are looked at several times a second.
class Changes {
  public:
    Changes(std::filesystem::path source, bool poll);
    Changes(const Changes&) = delete;
    Changes& operator=(const Changes&) = delete;
    ~Changes();

    /// Returns true once something changed and has been quiet for a moment and the source is there; false as soon as
    /// `stop` (a descriptor) can be read.
    bool wait(int stop);

    bool polling() const { return notify_ < 0; }

  private:
    std::string seen() const;
    bool sleep(int stop, std::chrono::milliseconds time); // false: stop

    std::filesystem::path source_;
    int notify_ = -1;
    std::string last_;
};

} // namespace assay

#endif
