// Where commands write: results to standard output, notes to standard error.
#ifndef ASSAY_COMMANDS_PRINT_HPP
#define ASSAY_COMMANDS_PRINT_HPP

#include <filesystem>
#include <string_view>

namespace assay {

/// Writes to standard output at once. A reader that went away (head) is no error.
void print(std::string_view text);

/// "assay: note: ..." on standard error; nothing where `note` is empty.
void print_note(std::string_view note);

/// The folder we run in. Throws Stop (usage) where it is gone.
std::filesystem::path here();

} // namespace assay

#endif
