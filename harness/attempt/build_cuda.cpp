#include "attempt/build_cuda.hpp"

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
