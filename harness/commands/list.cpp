#include "commands/list.hpp"

#include "catalogue/settings.hpp"
#include "catalogue/state.hpp"
#include "commands/known_names.hpp"
#include "commands/print.hpp"
#include "core/cuda_contract.hpp"
#include "core/registry.hpp"
#include "judge/selection.hpp"
#include "report/text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <tuple>
#include <unistd.h>
#include <vector>

namespace assay {

namespace {

struct Row {
    const Exercise* exercise = nullptr;
    Settings settings;
};

std::vector<Row> rows() {
    std::vector<Row> rows;
    for (const std::string_view id : exercise_ids()) {
        const Outcome<Settings> settings = settings_of(id);
        if (!settings) throw Stop(Exit::fault, settings.failure().reason);
        rows.push_back({find_exercise(id), *settings});
    }
    std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
        return std::tie(a.settings.topic, a.settings.order, a.exercise->id) <
               std::tie(b.settings.topic, b.settings.order, b.exercise->id);
    });
    return rows;
}

std::string progress_text(const Progress& progress, const Exercise& exercise, const Style& style) {
    if (!progress.best) return style.dim(progress.workspace.empty() ? "not started" : "started");
    std::string text = fmt::format("{} of {} points", progress.score, progress.max_score);
    if (progress.max_bonus > 0) text += fmt::format(", bonus {} of {}", progress.bonus, progress.max_bonus);
    if (*progress.best == Verdict::AC) return style.paint(Paint::green, "passed") + ", " + text;
    if (const Level* level = find_level(exercise, progress.failing_level); level != nullptr)
        text += "; at " + level->title;
    return style.paint(Paint::yellow, "begun") + ", " + text;
}

/// "1 Masks · 2 ... · timed ..." in lines of at most `width` columns, broken between levels only.
std::vector<std::string> level_lines(const Exercise& exercise, std::size_t width) {
    const std::vector<int> numbers = level_numbers(exercise);
    std::vector<std::string> items, lines;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const Level& level = exercise.levels[i];
        items.push_back(fmt::format("{} {}", level.must ? std::to_string(numbers[i]) : "bonus", level.title));
    }
    for (const SpeedLevel& level : exercise.speed) items.push_back("timed " + level.title);
    for (const std::string& item : items) {
        if (lines.empty() || display_width(lines.back()) + 3 + display_width(item) > width)
            lines.push_back(item);
        else
            lines.back() += " · " + item;
    }
    return lines;
}

} // namespace

Exit list_command(const ListArguments& arguments) {
    const Style style = style_for(arguments.color, STDOUT_FILENO);
    const auto width = static_cast<std::size_t>(style.width);
    std::string note;
    const State state = read_state(state_file(), note);
    print_note(note);
    std::string text, topic;
    for (const Row& row : rows()) {
        if (row.settings.topic != topic) {
            topic = row.settings.topic;
            text += (text.empty() ? "" : "\n") + style.bold(topic) + "\n";
        }
        const Exercise& exercise = *row.exercise;
        text += fmt::format("  {}  {}\n", style.paint(Paint::cyan, exercise.id), style.bold(row.settings.title));
        text += wrapped(row.settings.summary, width, "      ", "      ");
        for (const std::string& line : level_lines(exercise, width - 6)) text += "      " + style.dim(line) + "\n";
        if (!cuda_contract_of(exercise.id).empty())
            text += "      " + style.dim("C++, Python, and CUDA, emulated on the CPU (--language cuda)") + "\n";
        text += "      " + progress_text(state.of(exercise.id), exercise, style) + "\n";
    }
    text += "\n" + style.dim("assay show EXERCISE reads it, assay start EXERCISE begins it.") + "\n";
    print(text);
    return Exit::passed;
}

} // namespace assay
