#include "hunt/hunt.hpp"

#include "catalogue/embedded.hpp"

#include <fmt/format.h>
#include <map>
#include <memory>

namespace assay {

namespace {

struct Entry {
    HuntFactory factory;
    std::unique_ptr<Hunt> built;
};
std::map<std::string, Entry, std::less<>>& entries() {
    static std::map<std::string, Entry, std::less<>> map; // built on first use: static objects enter in any order
    return map;
}

} // namespace

bool enter_hunt(std::string_view id, HuntFactory factory) {
    entries().emplace(std::string(id), Entry{factory, nullptr});
    return true;
}

std::vector<std::string_view> hunt_ids() {
    std::vector<std::string_view> ids;
    for (const auto& [id, entry] : entries()) ids.push_back(id);
    return ids;
}

const Hunt* find_hunt(std::string_view id) {
    const auto found = entries().find(id);
    if (found == entries().end()) return nullptr;
    Entry& entry = found->second;
    if (!entry.built) {
        entry.built = std::make_unique<Hunt>(entry.factory());
        entry.built->id = std::string(id);
    }
    return entry.built.get();
}

Outcome<Template> template_of(const Hunt& hunt, std::string_view language) {
    const std::string_view extension = language == "python" ? "py" : language;
    const std::string folder = fmt::format("solutions/{}/hunt/", hunt.exercise);
    if (!embedded(fmt::format("{}template.{}", folder, extension)))
        return Failure{Verdict::SKIP, fmt::format("the hunt {} is not written in {}: leave --language out for C++",
                                                  hunt.id, language)};
    std::vector<std::pair<std::string, std::string>> files;
    for (const EmbeddedFile& file : embedded_files())
        if (file.path.substr(0, folder.size()) == folder)
            files.emplace_back(file.path.substr(folder.size()), file.text);
    return read_template(files, extension);
}

Truths run_choices(const Hunt& hunt, const std::vector<int>& choices, const Problem& problem) {
    hunt.choose(choices.data());
    return hunt.run(problem);
}

} // namespace assay
