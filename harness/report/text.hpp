// Text for a terminal: widths of what is seen, wrapping, padding, and making foreign text safe to print.
#ifndef ASSAY_REPORT_TEXT_HPP
#define ASSAY_REPORT_TEXT_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// Columns that UTF-8 `text` takes on a terminal; colour sequences take none, wide characters two.
std::size_t display_width(std::string_view text);

/// `text` followed (or, for `pad_left`, preceded) by spaces up to `width` columns; never cut.
std::string pad_right(std::string_view text, std::size_t width);
std::string pad_left(std::string_view text, std::size_t width);

/// Lines of at most `width` columns, broken at spaces; a longer word stands alone. Newlines in `text` stay breaks.
std::vector<std::string> wrap(std::string_view text, std::size_t width);

/// wrap(), each line after the first led by `hang`, the first by `lead`; joined by newlines, with one at the end.
std::string wrapped(std::string_view text, std::size_t width, std::string_view lead, std::string_view hang);

enum class Keep { nothing, newlines, newlines_and_colours };

/// Foreign text made safe: control characters, bytes that are not UTF-8 and characters that reorder a line are written
/// as \x1b or \u202e; a tab becomes four spaces. Newlines stay where asked for, and so do colour sequences (a
/// compiler's), of all escape sequences the only harmless ones.
std::string printable(std::string_view text, Keep keep = Keep::nothing);

/// `text` without escape sequences of the form ESC [ ... letter and ESC ] ... BEL.
std::string without_escapes(std::string_view text);

/// At most `width` columns of a line; where it is longer, the last of them are "...".
std::string cut(std::string_view line, std::size_t width);

/// At most `most` lines of `text`; what is left out is counted in a last line.
std::string first_lines(std::string_view text, std::size_t most);

/// The lines of `text`, without their newlines; a last empty line is not one.
std::vector<std::string> lines_of(std::string_view text);

/// "1 level", "3 levels".
std::string counted(long long count, std::string_view one);

/// One word for a POSIX shell, quoted only where it must be.
std::string shell_word(std::string_view text);

/// The candidate nearest to `word` by edit distance, or "" where none is near (more than a third of its length away).
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

} // namespace assay

#endif
