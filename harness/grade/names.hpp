// Names of candidates and files are data: what they are called on disk and in records, whatever bytes they hold.
#ifndef ASSAY_GRADE_NAMES_HPP
#define ASSAY_GRADE_NAMES_HPP

#include <string>
#include <string_view>

namespace assay {

/// Every byte but letters, digits, '.', '_', '-' (and '/' where `keep_slashes`) as %XX, and a leading '.' or '-' too:
/// one file name, ASCII, no option, not hidden. Different names stay different.
std::string escaped_name(std::string_view name, bool keep_slashes = false);

/// Undoes escaped_name().
std::string plain_name(std::string_view text);

/// escaped_name(), cut to what a file system takes; a cut one ends in a hash of the whole.
std::string file_name_for(std::string_view name);

} // namespace assay

#endif
