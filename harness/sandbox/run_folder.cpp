#include "sandbox/run_folder.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <string>
#include <sys/stat.h>
#include <tuple>
#include <unistd.h>

namespace assay {

namespace fs = std::filesystem;

namespace {

std::mutex mutex;
fs::path folder; // "" = none yet

/// What tells one content of a path from the next.
using Stamp = std::tuple<dev_t, ino_t, off_t, time_t, long>;
std::map<fs::path, std::pair<Stamp, fs::path>> copies;
int copied_folders = 0;
std::map<fs::path, fs::path> places; // of folders of ours in the run folder

/// Folders of ours whose process was killed.
void remove_abandoned(const fs::path& root) {
    const std::string prefix = "assay-run-";
    std::error_code error;
    for (fs::directory_iterator at(root, error), end; !error && at != end; at.increment(error)) {
        const std::string name = at->path().filename().native();
        struct stat status {};
        if (name.compare(0, prefix.size(), prefix) != 0 || ::lstat(at->path().c_str(), &status) != 0) continue;
        const auto owner = static_cast<pid_t>(std::strtol(name.c_str() + prefix.size(), nullptr, 10));
        std::error_code ignored;
        if (S_ISDIR(status.st_mode) && status.st_uid == ::geteuid() && owner > 0 && ::kill(owner, 0) != 0 &&
            errno == ESRCH)
            fs::remove_all(at->path(), ignored);
    }
}

Outcome<fs::path> made_folder() {
    if (!folder.empty()) return folder;
    const char* set = std::getenv("TMPDIR");
    const std::string root = set != nullptr && *set != '\0' ? set : "/tmp";
    remove_abandoned(root);
    std::string name = fmt::format("{}/assay-run-{}-XXXXXX", root, ::getpid());
    if (::mkdtemp(name.data()) == nullptr || ::chmod(name.c_str(), 0711) != 0)
        return Failure{Verdict::JE,
                       fmt::format("no folder for running attempts could be made in {} ({}): set TMPDIR to a folder "
                                   "that can be written",
                                   fs::path(name).parent_path().native(), std::strerror(errno)),
                       {}};
    folder = name;
    return folder;
}

bool is_open_to_all(const fs::path& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return false;
    const mode_t needed = S_ISDIR(status.st_mode) ? S_IROTH | S_IXOTH : S_IROTH;
    if ((status.st_mode & needed) != needed) return false;
    for (fs::path above = path.parent_path(); above.has_relative_path(); above = above.parent_path())
        if (::stat(above.c_str(), &status) != 0 || (status.st_mode & S_IXOTH) == 0) return false;
    return true;
}

/// A link where both lie on one file system: then nothing is copied, and still only we may write to it.
bool offer_file(const fs::path& from, const fs::path& to) {
    struct stat status {};
    if (::stat(from.c_str(), &status) != 0) return false;
    std::error_code error;
    fs::remove(to, error);
    if ((status.st_mode & S_IROTH) != 0 && ::link(from.c_str(), to.c_str()) == 0) return true;
    return fs::copy_file(from, to, error) && ::chmod(to.c_str(), (status.st_mode & S_IXUSR) != 0 ? 0755 : 0644) == 0;
}

bool copy_all(const fs::path& from, const fs::path& to) {
    std::error_code error;
    if (!fs::is_directory(from, error)) return offer_file(from, to);
    if ((::mkdir(to.c_str(), 0755) != 0 && errno != EEXIST) || ::chmod(to.c_str(), 0755) != 0) return false;
    for (fs::directory_iterator at(from, error), end; !error && at != end; at.increment(error))
        if (!copy_all(at->path(), to / at->path().filename())) return false;
    return !error;
}

} // namespace

Outcome<fs::path> run_folder() {
    const std::lock_guard<std::mutex> lock(mutex);
    return made_folder();
}

void remove_run_folder() {
    const std::lock_guard<std::mutex> lock(mutex);
    std::error_code error;
    if (!folder.empty()) fs::remove_all(folder, error);
    folder.clear();
    copies.clear();
    places.clear();
}

Outcome<fs::path> staging_root(const fs::path& own, const Layers& layers) {
    if (!layers.has(Layer::user) || layers.has(Layer::bubblewrap)) return own;
    return run_folder();
}

bool open_to_all(const fs::path& at) {
    std::error_code error;
    fs::permissions(at, fs::perms::others_read | fs::perms::others_exec | fs::perms::group_read | fs::perms::group_exec,
                    fs::perm_options::add, error);
    for (fs::recursive_directory_iterator entry(at, error), end; !error && entry != end; entry.increment(error)) {
        const mode_t mode = entry->is_directory(error) ? 0755 : 0644;
        if (::chmod(entry->path().c_str(), mode) != 0) return false;
    }
    return !error;
}

Outcome<fs::path> offered(const fs::path& path) {
    const std::lock_guard<std::mutex> lock(mutex);
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0 || is_open_to_all(path)) return path; // what is not there cannot be offered
    const Stamp stamp{status.st_dev, status.st_ino, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
    if (const auto found = copies.find(path); found != copies.end() && found->second.first == stamp)
        return found->second.second;
    const Outcome<fs::path> run = made_folder();
    if (!run) return run.failure();
    fs::path& place = places[path.parent_path()];
    if (place.empty()) {
        place = *run / std::to_string(copied_folders++);
        ::mkdir(place.c_str(), 0711);
        ::chmod(place.c_str(), 0711); // whatever the umask
    }
    const fs::path copy = place / path.filename();
    if (!copy_all(path, copy))
        return Failure{Verdict::JE,
                       fmt::format("{} could not be copied to {} for an attempt to read: is the disk full?",
                                   path.native(), copy.native()),
                       {}};
    copies[path] = {stamp, copy};
    return copy;
}

} // namespace assay
