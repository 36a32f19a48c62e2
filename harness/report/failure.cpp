#include "report/failure.hpp"

#include "report/explain.hpp"
#include "report/text.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace assay {

namespace {

class Failing {
  public:
    Failing(const Record& record, const FirstFailure& first, const TerminalOptions& options)
        : record_(record), level_(*first.level), case_(first.failing), options_(options) {}

    std::string text() {
        head();
        if (case_ == nullptr) return std::move(text_);
        paragraph(printable(case_->reason, Keep::newlines), "  ", "  ");
        const bool told = record_.smallest && !record_.smallest->story.empty();
        if (told && !case_->findings.empty()) // the story says it better than the numbers of a whole run
            text_ += block(style_.bold(sentence_of(case_->findings.front())) + ".", "  ", "  ") + '\n';
        for (const Finding& finding : case_->findings)
            if (!told) text_ += explained(finding, style_, "  ") + '\n';
        diagnoses();
        crash();
        smallest();
        printed();
        if (options_.advice) replay();
        return std::move(text_);
    }

  private:
    const Record& record_;
    const LevelRecord& level_;
    const CaseRecord* case_; // null where the level failed as a whole
    const TerminalOptions& options_;
    const Style& style_ = options_.style;
    std::string text_;

    std::string block(std::string_view text, std::string_view lead, std::string_view hang) const {
        return wrapped(text, static_cast<std::size_t>(style_.width), lead, hang);
    }
    void paragraph(std::string_view text, std::string_view lead, std::string_view hang) {
        if (!text.empty()) text_ += block(text, lead, hang) + '\n';
    }
    std::string arrow() const { return "  " + style_.paint(Paint::cyan, "▸") + " "; }

    void head() {
        const Verdict verdict = case_ != nullptr ? case_->verdict : level_.verdict;
        std::string head = style_.bold(level_.must ? fmt::format("Level {}, {}", level_.number, level_.title)
                                                   : fmt::format("Bonus, {}", level_.title));
        head += ": " + style_.paint(verdict == Verdict::JE ? Paint::yellow : Paint::red, meaning(verdict));
        if (case_ == nullptr) {
            paragraph(head + ".", "", "");
            paragraph(printable(level_.reason, Keep::newlines), "  ", "  ");
            return;
        }
        head += " on case " + style_.bold(case_->id);
        paragraph(case_->why.empty() ? head + "." : head + ", " + style_.dim(case_->why), "", "  ");
    }

    std::string told(const Diagnosis& diagnosis) const {
        std::string sentence = diagnosis.sentence;
        if (!sentence.empty() && sentence[0] >= 'a' && sentence[0] <= 'z')
            sentence[0] = static_cast<char>(sentence[0] - 'a' + 'A');
        if (!sentence.empty() && sentence.back() != '.') sentence += '.';
        return style_.paint(Paint::cyan, sentence);
    }

    void diagnoses() {
        const auto by_numbers = [](const Finding& finding) {
            return finding.kind == FindingKind::value || finding.kind == FindingKind::nan ||
                   finding.kind == FindingKind::inf;
        };
        if (record_.diagnoses.size() == 1) {
            paragraph(told(record_.diagnoses.front()), arrow(), "    ");
        } else if (record_.diagnoses.size() > 1) {
            text_ += block("Several explanations fit alike:", arrow(), "    ");
            for (const Diagnosis& diagnosis : record_.diagnoses) text_ += block(told(diagnosis), "    - ", "      ");
            text_ += '\n';
        } else if (!record_.hunt && std::any_of(case_->findings.begin(), case_->findings.end(), by_numbers)) {
            paragraph("It matches none of the mistakes known here.", "  ", "  ");
        }
    }

    void crash() {
        if (!record_.crash) return;
        const Crash& crash = *record_.crash;
        text_ += block(style_.paint(Paint::cyan, printable(crash.summary)), arrow(), "    ");
        for (const std::string& frame : crash.frames) text_ += block(style_.dim(printable(frame)), "    ", "      ");
        text_ += '\n';
    }

    void smallest() {
        if (!record_.smallest) return;
        const Smallest& smallest = *record_.smallest;
        std::string head = style_.bold("Smallest failing case");
        if (!smallest.dimensions.empty()) head += ": " + smallest.dimensions;
        text_ += block(head, "  ", "    ");
        for (const std::string& input : smallest.inputs) text_ += block(input, "    ", "      ");
        const Finding& finding = smallest.finding;
        if (!finding.tensor.empty())
            text_ += block("gives: " + sentence_of(finding) + ".", "    ", "    ");
        else if (!finding.note.empty() && finding.note != case_->reason)
            text_ += block("gives: " + printable(finding.note, Keep::newlines), "    ", "    ");
        text_ += '\n';
        story(smallest);
    }

    /// A long one is cut in its middle: how it began and how it ended tell most.
    void story(const Smallest& smallest) {
        constexpr std::size_t most = 24, kept = most / 2;
        const std::vector<std::string>& lines = smallest.story;
        if (lines.empty()) return;
        const bool one_of_two = smallest.finding.kind == FindingKind::not_deterministic;
        text_ += block(style_.bold(one_of_two ? "What happened in one of the two" : "What happened"), "  ", "    ");
        for (std::size_t i = 0; i < lines.size(); ++i) {
            if (lines.size() > most && i == kept) {
                text_ += block(
                    style_.dim("... " + counted(static_cast<long long>(lines.size() - most), "more event") + " ..."),
                    "    ", "      ");
                i = lines.size() - kept;
            }
            story_line(printable(lines[i]));
        }
        text_ += '\n';
    }

    /// Its columns are aligned, which wrapping would undo: only the words are wrapped.
    void story_line(const std::string& line) {
        const std::size_t gap = line.empty() || line[0] == ' ' ? 0 : line.find("  ");
        const std::size_t words = gap == std::string::npos ? 0 : line.find_first_not_of(' ', gap);
        if (words == std::string::npos) return;
        text_ += block(line.substr(words), "    " + line.substr(0, words), std::string(words + 4, ' '));
    }

    void printed() {
        if (case_->printed.empty()) return;
        text_ += "  Your program printed:\n";
        const std::string shown = first_lines(printable(case_->printed, Keep::newlines), options_.printed_lines);
        for (const std::string& line : lines_of(shown))
            text_ += "  " + style_.dim("│") + " " + cut(line, static_cast<std::size_t>(style_.width) - 4) + '\n';
        text_ += '\n';
    }

    void replay() {
        const std::string spec = record_.smallest ? record_.smallest->spec : case_->id;
        const std::string& target = options_.target.empty() ? record_.exercise : options_.target;
        // Not wrapped: it is there to be copied.
        text_ += fmt::format("  Replay: {}\n\n", style_.bold(fmt::format("assay check {} --case {}{}", target,
                                                                         shell_word(spec), seed_option())));
    }

    std::string seed_option() const { return record_.seed == 0 ? "" : fmt::format(" --seed {}", record_.seed); }
};

} // namespace

std::string failure_text(const Record& record, const FirstFailure& first, const TerminalOptions& options) {
    return Failing(record, first, options).text();
}

} // namespace assay
