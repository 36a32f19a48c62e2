#include "commands/scaffold.hpp"

#include <cctype>

namespace assay {

namespace {

std::string filled(std::string_view text, std::string_view mark, std::string_view value) {
    std::string result;
    while (true) {
        const std::size_t at = text.find(mark);
        result += text.substr(0, at);
        if (at == std::string_view::npos) return result;
        result += value;
        text.remove_prefix(at + mark.size());
    }
}

} // namespace

std::vector<ScaffoldFile> scaffold(std::string_view id) {
    std::string capitals(id);
    for (char& c : capitals) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    std::vector<ScaffoldFile> files;
    const auto add = [&](const std::string& folder, const std::vector<detail::ScaffoldTemplate>& templates) {
        for (const detail::ScaffoldTemplate& one : templates)
            files.push_back({folder + "/" + std::string(id) + "/" + std::string(one.path),
                             filled(filled(one.text, "@ID@", id), "@GUARD@", capitals)});
    };
    add("exercises", detail::question_templates());
    add("solutions", detail::answer_templates());
    return files;
}

} // namespace assay
