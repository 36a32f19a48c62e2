// hunt-model EXERCISE FOLDER OUT: writes the C++ that runs any choice of a hunt's fragments (fragments.hpp). Part of
// the build.
#include "hunt/fragments.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sstream>

int main(int count, char** arguments) {
    if (count != 4) {
        std::fputs("usage: hunt-model EXERCISE FOLDER OUT\n", stderr);
        return 2;
    }
    namespace fs = std::filesystem;
    const fs::path folder = arguments[2];
    std::vector<std::pair<std::string, std::string>> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (!entry.is_regular_file()) continue;
        std::ostringstream text;
        text << std::ifstream(entry.path()).rdbuf();
        files.emplace_back(entry.path().lexically_relative(folder).generic_string(), text.str());
    }
    std::sort(files.begin(), files.end());
    const assay::Outcome<assay::Template> whole = assay::read_template(files, "cpp");
    if (!whole) {
        fmt::print(stderr, "{}: {}\n", folder.string(), whole.failure().reason);
        return 1;
    }
    std::ofstream out(arguments[3]);
    out << "// Generated from the fragments of " << arguments[1] << "'s hunt.\n"
        << assay::switched(*whole, arguments[1]);
    out.close();
    return out ? 0 : 1;
}
