#include "report/terminal.hpp"

#include "report/failure.hpp"
#include "report/growth.hpp"
#include "report/speed.hpp"
#include "report/text.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace assay {

namespace {

class Report {
  public:
    Report(const Record& record, const TerminalOptions& options) : record_(record), options_(options) {}

    std::string text() {
        head();
        const bool uncompiled = record_.verdict == Verdict::CE && !record_.compiler_output.empty();
        if (uncompiled)
            compile_error();
        else
            table();
        for (const std::string& note : record_.notes)
            text_ += block(note, style_.paint(Paint::yellow, "note: "), "      ");
        if (!record_.notes.empty()) text_ += '\n';
        const auto first = first_failure(record_);
        const bool told_below = first && (record_.reason == first->level->reason ||
                                          (first->failing != nullptr && record_.reason == first->failing->reason));
        if (!record_.reason.empty() && !told_below && !uncompiled)
            text_ += block(printable(record_.reason, Keep::newlines), "", "") + '\n';
        if (first) text_ += failure_text(record_, *first, options_);
        if (record_.hunt) hunt(*record_.hunt);
        text_ += growth_text(record_.growth, style_);
        for (const SpeedRecord& timed : record_.speed) text_ += speed_text(timed, style_);
        foot();
        return std::move(text_);
    }

  private:
    const Record& record_;
    const TerminalOptions& options_;
    const Style& style_ = options_.style;
    std::string text_;

    std::size_t width() const { return static_cast<std::size_t>(style_.width); }
    std::string block(std::string_view text, std::string_view lead, std::string_view hang) const {
        return wrapped(text, width(), lead, hang);
    }

    std::string coded(Verdict verdict, std::size_t columns) const {
        const std::string text = pad_right(code(verdict), columns);
        switch (verdict) {
        case Verdict::AC: return style_.paint(Paint::green, text);
        case Verdict::SKIP: return style_.dim(text);
        case Verdict::JE: return style_.paint(Paint::yellow, text);
        default: return style_.paint(Paint::red, text);
        }
    }

    void head() {
        const std::string left = style_.bold(record_.exercise) + "  " + record_.title;
        std::string right = printable(record_.source);
        if (!record_.environment.compiler.empty()) right += ", " + record_.environment.compiler;
        const std::size_t used = display_width(left) + display_width(right);
        text_ += left + (used + 2 <= width() ? std::string(width() - used, ' ') : "\n") + style_.dim(right) + "\n\n";
    }

    void compile_error() {
        const bool coloured = style_.colour && !options_.compiler_output.empty();
        const std::string output = coloured ? printable(options_.compiler_output, Keep::newlines_and_colours)
                                            : printable(record_.compiler_output, Keep::newlines);
        text_ += first_lines(output, options_.diagnostic_lines) + '\n';
    }

    void table() {
        std::size_t titles = 0;
        for (const LevelRecord& level : record_.levels) titles = std::max(titles, display_width(level.title));
        for (const LevelRecord& level : record_.levels) {
            std::string row = fmt::format("  {}  {}  {}", level.must ? fmt::format("{:>2}", level.number) : " +",
                                          pad_right(level.title, titles), coded(level.verdict, 4));
            if (level.points > 0) row += style_.dim(fmt::format("  {:>3} of {:>2}", level.earned, level.points));
            if (!level.must) row += style_.dim("  bonus");
            text_ += row + '\n';
            if (level.verdict == Verdict::SKIP && !level.reason.empty())
                text_ += block(style_.dim(printable(level.reason)), "      ", "      ");
        }
        if (!record_.levels.empty()) text_ += '\n';
    }

    /// How many bugs are left, never where; what they were once all are found.
    void hunt(const HuntRecord& hunt) {
        const auto say = [&](Paint paint, const std::string& sentence) {
            text_ += block(style_.paint(paint, sentence), "", "") + '\n';
        };
        if (!hunt.remaining)
            say(Paint::yellow, "It behaves like no subset of the planted bugs: something else is wrong as well, or a "
                               "mend went astray.");
        else if (*hunt.remaining == 0 && record_.verdict != Verdict::AC)
            say(Paint::yellow, "It computes as if every planted bug were mended; what fails above is another fault.");
        else if (*hunt.remaining > 0)
            say(Paint::yellow, fmt::format("{} of {} still there.", *hunt.remaining, counted(hunt.bugs, "bug")));
        if (hunt.found.empty()) return;
        say(Paint::green, hunt.bugs == 1 ? "You found the bug:" : fmt::format("You found all {} bugs:", hunt.bugs));
        for (const std::string& bug : hunt.found) text_ += block(bug, "  - ", "    ");
        text_ += '\n';
    }

    std::string points() const {
        std::string text = fmt::format("{} of {} points", record_.score, record_.max_score);
        if (record_.max_bonus > 0) text += fmt::format(", bonus {} of {}", record_.bonus, record_.max_bonus);
        return text;
    }

    std::string times() const {
        const double judged = record_.times.judge_ms / 1000;
        if (record_.times.judge_ms == 0) return fmt::format("built for {:.2f} s", record_.times.compile_ms / 1000);
        if (record_.times.cached) return fmt::format("judged in {:.2f} s", judged);
        return fmt::format("built in {:.2f} s, judged in {:.2f} s", record_.times.compile_ms / 1000, judged);
    }

    void foot() {
        if (record_.verdict == Verdict::AC && record_.partial)
            text_ += block(style_.paint(Paint::green, "Accepted, what was asked of it.") + " " + times() + ".", "", "");
        else if (record_.verdict == Verdict::AC)
            text_ += block(style_.paint(Paint::green, "Accepted: every level passes. Well done.") + " " + points() +
                               "; " + times() + ".",
                           "", "");
        else
            text_ +=
                block(coded(record_.verdict, 0) + "  " + (record_.partial ? "" : points() + "; ") + times(), "", "");
        if (record_.verdict == Verdict::JE)
            text_ += block("This is a fault of Assay's, not of your attempt; the points say nothing about it.", "", "");
        if (options_.advice && !next_step().empty()) text_ += block(style_.dim(next_step()), "", "");
    }

    std::string next_step() const {
        if (record_.verdict == Verdict::CE || record_.verdict == Verdict::JE) return "";
        if (record_.hunt) return record_.verdict == Verdict::AC ? "Another: assay hunt " + record_.hunt->id : "";
        if (record_.verdict != Verdict::AC) return "Stuck? assay hint " + record_.exercise;
        if (record_.partial) return "The whole of it: assay check " + target();
        if (record_.bonus < record_.max_bonus)
            return "The bonus is still open; or compare notes: assay solution " + record_.exercise;
        return "Compare notes: assay solution " + record_.exercise;
    }

    const std::string& target() const { return options_.target.empty() ? record_.exercise : options_.target; }
};

} // namespace

std::string to_terminal(const Record& record, const TerminalOptions& options) { return Report(record, options).text(); }

} // namespace assay
