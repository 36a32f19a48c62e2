#include "attempt/build_cuda.hpp"

#include "attempt/source_scan.hpp"
#include "host/rewrite.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

namespace assay {

namespace fs = std::filesystem;

bool is_cuda(const fs::path& source) { return source.extension() == ".cu"; }

Outcome<Sources> rewritten_for_emulation(const Sources& sources) {
    Sources result;
    result.notes = sources.notes;
    std::string first, detail;
    for (const StagedFile& file : sources.files) {
        simt::Rewritten rewritten = simt::rewrite(file.text, file.name.native());
        for (const simt::Unsupported& lack : rewritten.unsupported) {
            const std::string place = fmt::format("{}:{}", file.name.native(), lack.line);
            if (first.empty()) first = fmt::format("{}: {}", place, lack.sentence);
            detail += fmt::format("{}: error: {}\n", place, lack.sentence);
        }
        result.files.push_back({file.name, std::move(rewritten.text)});
    }
    if (!first.empty()) return Failure{Verdict::CE, "it cannot be emulated: " + first, detail};
    return result;
}

std::vector<std::string> leading_headers(const Sources& sources, const std::string& contract, const fs::path& headers,
                                         const fs::path& cuda) {
    const auto known = [&](const std::string& name) {
        std::error_code error;
        return name[0] != '/' && name.find("..") == std::string::npos && // which lead out of our folders
               fs::is_regular_file((name.starts_with("assay/") ? headers : cuda) / name, error);
    };
    std::vector<std::string> leading =
        leading_known_headers(sources.attempt().text, beside_in(sources), contract, known);
    const std::string first(simt::included_first);
    std::erase(leading, first);
    leading.insert(leading.begin(), first);
    return leading;
}

bool add_cuda_headers(ContentHash& hash, const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
        if (at->is_regular_file(error)) files.push_back(at->path());
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files)
        if (const auto text = read_file(file)) hash.add(file.lexically_relative(folder).native()).add(*text);
    return !files.empty();
}

} // namespace assay
