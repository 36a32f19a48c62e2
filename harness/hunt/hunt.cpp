#include "hunt/hunt.hpp"

#include "catalogue/embedded.hpp"
#include "core/entered.hpp"

#include <fmt/format.h>

namespace assay {

namespace {
Entered<Hunt>& entered() {
    static Entered<Hunt> hunts;
    return hunts;
}
} // namespace

bool enter_hunt(std::string_view id, HuntFactory factory) { return entered().enter(id, factory); }
std::vector<std::string_view> hunt_ids() { return entered().ids(); }
const Hunt* find_hunt(std::string_view id) { return entered().find(id); }

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
