#include "catalogue/markdown.hpp"

#include "catalogue/markdown_inline.hpp"
#include "report/text.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

namespace assay {

namespace {

using namespace markdown;

/// Length of a list marker ("- ", "12. ") at the start of `text`, or 0.
std::size_t marker_length(std::string_view text) {
    if (text.size() > 1 && (text[0] == '-' || text[0] == '*' || text[0] == '+') && text[1] == ' ') return 2;
    std::size_t digits = 0;
    while (digits < text.size() && std::isdigit(static_cast<unsigned char>(text[digits])) != 0) ++digits;
    return digits > 0 && digits + 1 < text.size() && text[digits] == '.' && text[digits + 1] == ' ' ? digits + 2 : 0;
}

std::vector<std::string> cells_of(std::string_view row) {
    row = trimmed(row);
    if (starts_with(row, "|")) row.remove_prefix(1);
    if (!row.empty() && row.back() == '|') row.remove_suffix(1);
    std::vector<std::string> cells(1);
    bool code = false;
    for (std::size_t i = 0; i < row.size(); ++i) {
        if (row[i] == '`') code = !code;
        if (row[i] == '\\' && i + 1 < row.size() && row[i + 1] == '|')
            cells.back() += row[++i];
        else if (row[i] == '|' && !code)
            cells.emplace_back();
        else
            cells.back() += row[i];
    }
    for (std::string& cell : cells) cell = std::string(trimmed(cell));
    return cells;
}

class Renderer {
  public:
    Renderer(std::string_view markdown, const Style& style) : lines_(lines_of(markdown)), style_(style) {}

    std::string text() {
        while (at_ < lines_.size()) block();
        while (!out_.empty() && out_.back() == '\n') out_.pop_back();
        return out_ + "\n";
    }

  private:
    std::vector<std::string> lines_;
    Style style_;
    std::size_t at_ = 0;
    std::string out_;

    std::size_t width() const { return static_cast<std::size_t>(style_.width); }
    std::string_view line() const { return trimmed(lines_[at_]); }
    std::size_t indent() const { return std::min(lines_[at_].find_first_not_of(' '), lines_[at_].size()); }
    bool ended() const { return at_ >= lines_.size(); }

    void block() {
        const std::string_view text = line();
        if (text.empty()) {
            ++at_;
        } else if (starts_with(text, "<!--")) {
            while (!ended() && line().find("-->") == std::string_view::npos) ++at_;
            ++at_;
        } else if (starts_with(text, "```") || starts_with(text, "~~~")) {
            fenced();
        } else if (text[0] == '#') {
            heading();
        } else if (text == "---" || text == "***" || text == "___") {
            out_ += style_.dim(std::string(width(), '-')) + "\n\n";
            ++at_;
        } else if (text[0] == '|') {
            table();
        } else if (marker_length(text) > 0) {
            list();
        } else if (indent() >= 4) {
            indented();
        } else if (text[0] == '>') {
            quote();
        } else {
            paragraph();
        }
    }

    void fenced() {
        const std::size_t own = indent();
        const std::string fence(line().substr(0, 3));
        for (++at_; !ended() && !starts_with(line(), fence); ++at_) {
            const std::size_t cut = std::min({own, indent(), lines_[at_].size()});
            out_ += "    " + style_.paint(Paint::cyan, lines_[at_].substr(cut)) + "\n";
        }
        if (!ended()) ++at_;
        out_ += "\n";
    }

    void indented() {
        for (; !ended() && (indent() >= 4 || line().empty()); ++at_) {
            if (line().empty() && (at_ + 1 >= lines_.size() || lines_[at_ + 1].substr(0, 4) != "    ")) break;
            const std::string code = lines_[at_].size() > 4 ? lines_[at_].substr(4) : "";
            out_ += code.empty() ? "\n" : "    " + style_.paint(Paint::cyan, code) + "\n";
        }
        out_ += "\n";
    }

    void heading() {
        const std::string_view text = line();
        const std::size_t level = std::min(text.find_first_not_of('#'), text.size());
        const std::string title = inline_text(trimmed(text.substr(level)), Style{false, style_.width});
        if (!out_.empty() && level <= 2) out_ += "\n";
        if (level == 1) {
            out_ += painted_words(style_, Paint::bold, title) + "\n" + std::string(display_width(title), '=') + "\n\n";
        } else {
            out_ += painted_words(style_, Paint::bold, title) + "\n\n";
        }
        ++at_;
    }

    bool starts_block() const {
        const std::string_view text = line();
        return text.empty() || text[0] == '#' || text[0] == '|' || text[0] == '>' || starts_with(text, "```") ||
               marker_length(text) > 0;
    }

    /// The lines of one paragraph, joined.
    std::string joined() {
        std::string text(line());
        for (++at_; !ended() && !starts_block(); ++at_) text += " " + std::string(line());
        return text;
    }

    void paragraph() { out_ += wrapped(inline_text(joined(), style_), width(), "", "") + "\n"; }

    void quote() {
        std::string text;
        for (; !ended() && starts_with(line(), ">"); ++at_)
            text += (text.empty() ? "" : " ") + std::string(trimmed(line().substr(1)));
        const std::string bar = style_.dim("│") + " ";
        out_ += wrapped(inline_text(text, style_), width(), bar, bar) + "\n";
    }

    void list() {
        while (!ended()) {
            if (line().empty()) { // an empty line ends a list unless an item (or an item's text) follows
                if (at_ + 1 >= lines_.size()) break;
                const std::string& next = lines_[at_ + 1];
                if (marker_length(trimmed(next)) == 0) break;
                ++at_;
                continue;
            }
            const std::size_t marker = marker_length(line());
            if (marker == 0) {
                if (!starts_with(line(), "```")) break;
                fenced();
                out_.pop_back();
                continue;
            }
            const std::string depth(indent() + 2, ' ');
            std::string bullet(line().substr(0, marker));
            if (marker == 2 && std::ispunct(static_cast<unsigned char>(bullet[0])) != 0) bullet = "• ";
            std::string text(line().substr(marker));
            for (++at_; !ended() && !starts_block(); ++at_) text += " " + std::string(line());
            out_ += wrapped(inline_text(text, style_), width(), depth + bullet, depth + std::string(marker, ' '));
        }
        out_ += "\n";
    }

    using Cells = std::vector<std::string>;

    /// Reads the rows; `to_right` tells of each column whether its rule asks for it.
    std::vector<Cells> table_rows(std::vector<bool>& to_right) {
        std::vector<Cells> rows;
        for (; !ended() && starts_with(line(), "|"); ++at_) {
            Cells cells = cells_of(line());
            const bool rule = std::all_of(cells.begin(), cells.end(), [](const std::string& cell) {
                return !cell.empty() && cell.find_first_not_of("-: ") == std::string::npos;
            });
            if (rule && rows.size() == 1) {
                for (const std::string& cell : cells) to_right.push_back(cell.back() == ':' && cell.front() != ':');
                continue;
            }
            for (std::string& cell : cells) cell = inline_text(cell, style_);
            rows.push_back(std::move(cells));
        }
        return rows;
    }

    /// The widest columns give way until all fit, but none below its longest word.
    std::vector<std::size_t> column_widths(const std::vector<Cells>& rows) const {
        std::vector<std::size_t> widths, least;
        for (const Cells& row : rows)
            for (std::size_t i = 0; i < row.size(); ++i) {
                widths.resize(std::max(widths.size(), i + 1));
                least.resize(widths.size());
                widths[i] = std::max(widths[i], display_width(row[i]));
                for (const std::string& word : wrap(row[i], 1)) least[i] = std::max(least[i], display_width(word));
            }
        while (true) {
            std::size_t all = 2, widest = widths.size();
            for (std::size_t i = 0; i < widths.size(); ++i) {
                all += widths[i] + (i > 0 ? 2 : 0);
                if (widths[i] > least[i] && (widest == widths.size() || widths[i] > widths[widest])) widest = i;
            }
            if (all <= width() || widest == widths.size()) return widths;
            --widths[widest];
        }
    }

    void table() {
        std::vector<bool> to_right;
        const std::vector<Cells> rows = table_rows(to_right);
        const std::vector<std::size_t> widths = column_widths(rows);
        to_right.resize(widths.size());
        std::size_t all = 0;
        for (const std::size_t one : widths) all += one + (all > 0 ? 2 : 0);
        for (std::size_t r = 0; r < rows.size(); ++r) {
            std::vector<Cells> lines; // of each cell
            std::size_t height = 0;
            for (std::size_t i = 0; i < widths.size(); ++i) {
                lines.push_back(wrap(i < rows[r].size() ? rows[r][i] : "", widths[i]));
                height = std::max(height, lines.back().size());
            }
            for (std::size_t h = 0; h < height; ++h) {
                std::string text = " ";
                for (std::size_t i = 0; i < widths.size(); ++i) {
                    const std::string cell = h < lines[i].size() ? lines[i][h] : "";
                    text +=
                        (i > 0 ? "  " : " ") + (to_right[i] ? pad_left(cell, widths[i]) : pad_right(cell, widths[i]));
                }
                out_ += text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
            }
            if (r == 0 && rows.size() > 1) out_ += "  " + style_.dim(std::string(all, '-')) + "\n";
        }
        out_ += "\n";
    }
};

} // namespace

std::string render_markdown(std::string_view markdown, const Style& style) { return Renderer(markdown, style).text(); }

} // namespace assay
