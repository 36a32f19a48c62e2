#include "commands/print.hpp"

#include "commands/stop.hpp"

#include <cstdio>
#include <fmt/format.h>
#include <system_error>

namespace assay {

void print(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
}

void print_note(std::string_view note) {
    if (!note.empty()) fmt::print(stderr, "assay: note: {}\n", note);
}

std::filesystem::path here() {
    std::error_code failed;
    std::filesystem::path folder = std::filesystem::current_path(failed);
    if (failed) throw Stop(Exit::usage, "the folder you are in no longer exists; cd to one that does");
    return folder;
}

} // namespace assay
