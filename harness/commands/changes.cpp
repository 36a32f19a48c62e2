#include "commands/changes.hpp"

#include <cerrno>
#include <fmt/format.h>
#include <poll.h>
#include <set>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace assay {

namespace {

constexpr auto between_polls = 250ms;
constexpr auto safety = 2000ms; // with inotify: network and overlay folders may report nothing
constexpr auto quiet = 40ms;    // some editors write in several steps

/// Which files beside an attempt it may take in.
bool is_part(const fs::path& path, const fs::path& source) {
    if (source.extension() == ".py") return path.extension() == ".py";
    static const std::set<std::string> extensions{".h", ".hh", ".hpp", ".hxx", ".inl", ".inc", ".cuh"};
    return extensions.count(path.extension().string()) > 0;
}

std::string stamp(const fs::path& path) {
    struct stat status {};
    if (stat(path.c_str(), &status) != 0) return "";
    return fmt::format("{} {} {} {}.{}\n", path.filename().string(), status.st_ino, status.st_size,
                       status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

} // namespace

Changes::Changes(fs::path source, bool poll) : source_(std::move(source)) {
    if (!poll) {
        notify_ = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
        // The folder, not the file: a rename over the file would leave a watch on the old one.
        constexpr std::uint32_t events = IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_DELETE | IN_DELETE_SELF;
        if (notify_ >= 0 && inotify_add_watch(notify_, source_.parent_path().c_str(), events) < 0) {
            close(notify_);
            notify_ = -1;
        }
    }
    last_ = seen();
}

Changes::~Changes() {
    if (notify_ >= 0) close(notify_);
}

std::string Changes::seen() const {
    std::set<std::string> stamps; // sorted: folders list their files in any order
    std::error_code failed;
    for (fs::directory_iterator at(source_.parent_path(), failed), end; !failed && at != end; at.increment(failed))
        if (is_part(at->path(), source_)) stamps.insert(stamp(at->path()));
    std::string all = stamp(source_);
    for (const std::string& one : stamps) all += one;
    return all;
}

bool Changes::sleep(int stop, std::chrono::milliseconds time) {
    pollfd descriptors[2] = {{stop, POLLIN, 0}, {notify_, POLLIN, 0}}; // a negative descriptor is left out by poll
    const int ready = poll(descriptors, 2, static_cast<int>(time.count()));
    if (ready > 0 && (descriptors[0].revents & POLLIN) != 0) return false;
    if (notify_ >= 0 && ready > 0 && descriptors[1].revents != 0) {
        alignas(inotify_event) char events[4096];
        while (true) {
            const ssize_t n = read(notify_, events, sizeof events);
            if (n <= 0) break;
            for (ssize_t i = 0; i < n;) {
                const auto* event = reinterpret_cast<const inotify_event*>(events + i);
                if ((event->mask & IN_IGNORED) != 0) { // the folder is gone: another may take its place
                    close(notify_);
                    notify_ = -1;
                    return true;
                }
                i += static_cast<ssize_t>(sizeof(inotify_event)) + static_cast<ssize_t>(event->len);
            }
        }
    }
    return true;
}

bool Changes::wait(int stop) {
    while (true) {
        std::string now = seen();
        if (now != last_) {
            while (true) {
                if (!sleep(stop, quiet)) return false;
                std::string later = seen();
                if (later == now) break;
                now = std::move(later);
            }
            std::error_code failed;
            if (fs::exists(source_, failed)) {
                last_ = std::move(now);
                return true;
            }
        }
        if (!sleep(stop, polling() ? between_polls : safety)) return false;
    }
}

} // namespace assay
