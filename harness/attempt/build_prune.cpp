// Keeps the cache from growing for ever.
#include "attempt/build_cache.hpp"

#include <algorithm>
#include <map>
#include <vector>

namespace assay {

namespace fs = std::filesystem;

namespace {

struct Entry {
    std::vector<fs::path> files; // a library and its sum, a header and its precompiled form: they go together
    std::uintmax_t bytes = 0;
    fs::file_time_type used = fs::file_time_type::min();
};

void collect(const fs::path& folder, std::vector<Entry>& entries) {
    std::map<std::string, Entry> by_stem;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        std::error_code gone; // another process may prune at the same time
        if (!at->is_regular_file(gone)) continue;
        const std::string name = at->path().filename().native();
        Entry& entry = by_stem[name.substr(0, name.find('.'))];
        const std::uintmax_t bytes = at->file_size(gone);
        if (!gone) entry.bytes += bytes;
        const fs::file_time_type used = at->last_write_time(gone);
        if (!gone) entry.used = std::max(entry.used, used);
        entry.files.push_back(at->path());
    }
    for (auto& [stem, entry] : by_stem) entries.push_back(std::move(entry));
}

void remove_abandoned(const fs::path& stages, fs::file_time_type now) {
    std::error_code error;
    for (fs::directory_iterator at(stages, error), end; !error && at != end; at.increment(error)) {
        std::error_code gone;
        const fs::file_time_type made = at->last_write_time(gone);
        if (!gone && now - made > std::chrono::hours(24)) fs::remove_all(at->path(), gone);
    }
}

} // namespace

void prune_cache(const fs::path& root, std::uintmax_t most, std::chrono::seconds pause) {
    const fs::path stamp = root / "pruned";
    const fs::file_time_type now = fs::file_time_type::clock::now();
    std::error_code error;
    const fs::file_time_type last = fs::last_write_time(stamp, error);
    if (!error && now - last < pause) return;
    write_file(stamp, {});
    remove_abandoned(root / "stage", now);
    std::vector<Entry> entries;
    for (const char* folder : {"attempts", "precompiled"}) collect(root / folder, entries);
    std::uintmax_t total = 0;
    for (const Entry& entry : entries) total += entry.bytes;
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.used < b.used; });
    for (const Entry& entry : entries) {
        if (total <= most) break;
        total -= entry.bytes;
        for (const fs::path& file : entry.files) fs::remove(file, error);
    }
}

} // namespace assay
