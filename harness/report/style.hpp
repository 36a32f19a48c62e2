// Colours and width of the terminal that a report is written for.
#ifndef ASSAY_REPORT_STYLE_HPP
#define ASSAY_REPORT_STYLE_HPP

#include <string>
#include <string_view>

namespace assay {

enum class ColorMode { automatic, always, never };

enum class Paint { bold, dim, italic, red, green, yellow, blue, cyan };

struct Style {
    bool colour = false;
    int width = 80; // columns

    /// `text` in that colour, or as it is where there is none.
    std::string paint(Paint paint, std::string_view text) const;
    std::string bold(std::string_view text) const { return paint(Paint::bold, text); }
    std::string dim(std::string_view text) const { return paint(Paint::dim, text); }
};

/// The style for what is written to descriptor `fd`. Automatic: colour on a terminal other than "dumb", unless NO_COLOR
/// is set and not empty (no-color.org). Width: the terminal's, else COLUMNS, else 80; between 40 and 120.
Style style_for(ColorMode mode, int fd);

} // namespace assay

#endif
