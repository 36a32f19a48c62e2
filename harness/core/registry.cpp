#include "core/registry.hpp"

#include <map>
#include <memory>
#include <string>

namespace assay {

namespace {
struct Entry {
    ExerciseFactory factory;
    std::unique_ptr<Exercise> built;
};
std::map<std::string, Entry, std::less<>>& entries() {
    static std::map<std::string, Entry, std::less<>> map; // built on first use: static objects enter in any order
    return map;
}
} // namespace

bool enter_exercise(std::string_view id, ExerciseFactory factory) {
    entries().emplace(std::string(id), Entry{factory, nullptr});
    return true;
}

std::vector<std::string_view> exercise_ids() {
    std::vector<std::string_view> ids;
    for (const auto& [id, entry] : entries()) ids.push_back(id);
    return ids;
}

const Exercise* find_exercise(std::string_view id) {
    const auto found = entries().find(id);
    if (found == entries().end()) return nullptr;
    Entry& entry = found->second;
    if (!entry.built) {
        entry.built = std::make_unique<Exercise>(entry.factory());
        entry.built->id = std::string(id);
    }
    return entry.built.get();
}

} // namespace assay
