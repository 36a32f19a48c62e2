#include "commands/list.hpp"

#include "catalogue/settings.hpp"
#include "catalogue/state.hpp"
#include "commands/print.hpp"
#include "commands/run_check.hpp"
#include "core/registry.hpp"
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
        std::string levels;
        const std::vector<int> numbers = level_numbers(exercise);
        for (std::size_t i = 0; i < numbers.size(); ++i)
            levels +=
                fmt::format("{}{} {}", levels.empty() ? "" : " · ",
                            exercise.levels[i].must ? std::to_string(numbers[i]) : "bonus", exercise.levels[i].title);
        text += wrapped(style.dim(levels), width, "      ", "      ");
        text += "      " + progress_text(state.of(exercise.id), exercise, style) + "\n";
    }
    text += "\n" + style.dim("assay show EXERCISE reads it, assay start EXERCISE begins it.") + "\n";
    print(text);
    return Exit::passed;
}

} // namespace assay
