#include "report/style.hpp"

#include <algorithm>
#include <cstdlib>
#include <rang.hpp>
#include <sstream>
#include <sys/ioctl.h>
#include <unistd.h>

namespace assay {

std::string Style::paint(Paint paint, std::string_view text) const {
    if (!colour || text.empty()) return std::string(text);
    // rang looks at the stream it writes to; a string is no terminal, so that the choice made here must be forced on
    // it.
    rang::setControlMode(rang::control::Force);
    std::ostringstream out;
    switch (paint) {
    case Paint::bold: out << rang::style::bold; break;
    case Paint::dim: out << rang::style::dim; break;
    case Paint::italic: out << rang::style::italic; break;
    case Paint::red: out << rang::style::bold << rang::fg::red; break;
    case Paint::green: out << rang::style::bold << rang::fg::green; break;
    case Paint::yellow: out << rang::fg::yellow; break;
    case Paint::blue: out << rang::fg::blue; break;
    case Paint::cyan: out << rang::fg::cyan; break;
    }
    out << text << rang::style::reset;
    return out.str();
}

Style style_for(ColorMode mode, int fd) {
    Style style;
    const bool terminal = isatty(fd) == 1;
    const char* none = std::getenv("NO_COLOR");
    const char* term = std::getenv("TERM");
    const bool dumb = term == nullptr || std::string_view(term) == "dumb";
    style.colour = mode == ColorMode::always ||
                   (mode == ColorMode::automatic && terminal && !dumb && (none == nullptr || *none == '\0'));
    int width = 0;
    winsize size{};
    if (terminal && ioctl(fd, TIOCGWINSZ, &size) == 0) width = size.ws_col;
    const char* columns = std::getenv("COLUMNS");
    if (width == 0 && columns != nullptr) width = std::atoi(columns);
    style.width = width == 0 ? 80 : std::clamp(width, 40, 120);
    return style;
}

} // namespace assay
