#include "commands/hunt.hpp"

#include "catalogue/files.hpp"
#include "catalogue/hunt_sheet.hpp"
#include "catalogue/settings.hpp"
#include "commands/print.hpp"
#include "commands/workspace.hpp"
#include "core/registry.hpp"
#include "report/text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <random>
#include <unistd.h>

namespace fs = std::filesystem;

namespace assay {

namespace {

const Hunt& require_hunt(const std::string& id) {
    if (const Hunt* hunt = find_hunt(id)) return *hunt;
    std::vector<std::string> ids;
    std::string list;
    for (const std::string_view known : hunt_ids()) {
        ids.emplace_back(known);
        list += (list.empty() ? "" : ", ") + ids.back();
    }
    const std::string near = nearest(id, ids);
    throw Stop(Exit::usage, fmt::format("no such hunt: {} ({})", printable(id),
                                        near.empty() ? "there are " + list : "did you mean " + near + "?"));
}

const Exercise& exercise_of(const Hunt& hunt) {
    const Exercise* exercise = find_exercise(hunt.exercise);
    if (exercise == nullptr) throw Stop(Exit::fault, fmt::format("the hunt {} has no exercise", hunt.id));
    return *exercise;
}

Template require_template(const Hunt& hunt, const std::string& language) {
    Outcome<Template> whole = template_of(hunt, language);
    if (whole) return std::move(*whole);
    throw Stop(whole.failure().verdict == Verdict::SKIP ? Exit::usage : Exit::fault, whole.failure().reason);
}

/// Of the program's texts: other ones draw other bugs.
std::string version_of(const Hunt& hunt) {
    std::string text;
    for (const Bug& bug : hunt.bugs) text += bug.id + "\n";
    for (const Slot& slot : require_template(hunt, "cpp").slots)
        for (const Fragment& fragment : slot.fragments) text += slot.name + "/" + fragment.name + "\n" + fragment.text;
    return fingerprint(text);
}

std::uint64_t fresh_seed() { return std::random_device{}() % 1'000'000; } // short enough to be told to a colleague

std::string level_titles(const Hunt& hunt, const Exercise& exercise) {
    std::string list;
    for (const Level& level : exercise.levels)
        if (std::find(hunt.levels.begin(), hunt.levels.end(), level.id) != hunt.levels.end())
            list += fmt::format("- {}\n", level.title);
    return list;
}

/// What the hunter is told; the statement lies beside it.
std::string briefing(const Hunt& hunt, const Exercise& exercise, const std::string& source, int bugs) {
    return fmt::format(
        "# {}\n\nA colleague wrote {} and asks why its numbers are off. It has {}. README.md is the statement it was "
        "written to: what it says is right, and conventions named there are no bugs.\n\nThese levels of behaviour are "
        "checked, each on several cases:\n\n{}\n"
        "Read the code, mend what is wrong, and ask `assay check` in this folder. It says how many of the bugs are "
        "left and which level still fails, never where. Rewriting the file is allowed; what counts is how it "
        "behaves.\n",
        hunt.title, source, counted(bugs, "bug"), level_titles(hunt, exercise));
}

} // namespace

Exit hunt_command(const HuntArguments& arguments) {
    const Hunt& hunt = require_hunt(arguments.hunt);
    const Exercise& exercise = exercise_of(hunt);
    if (arguments.bugs < 1 || arguments.bugs > most_bugs)
        throw Stop(Exit::usage, fmt::format("--bugs is {}: a hunt has 1 to {} of them", arguments.bugs, most_bugs));
    const std::uint64_t seed = arguments.seed ? *arguments.seed : fresh_seed();
    if (seed > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        throw Stop(Exit::usage, fmt::format("--seed is {}: give a number below 2^63", seed));
    // The bugs are drawn from the C++ program, which has all of them, whatever the language.
    const Template drawn = require_template(hunt, "cpp");
    const Template whole = require_template(hunt, arguments.language);
    const Planted planted = plant(hunt, exercise, drawn, arguments.bugs, seed);
    const int bugs = static_cast<int>(planted.bugs.size());
    if (bugs < arguments.bugs)
        print_note(fmt::format("from seed {} only {} bugs can be planted that are told apart", seed, bugs));

    const std::string source = hunt.exercise + (arguments.language == "python" ? ".py" : ".cpp");
    const std::string name = arguments.folder.empty() ? fmt::format("{}-hunt-{}", hunt.id, seed) : arguments.folder;
    const fs::path folder = (here() / name).lexically_normal();
    const std::string code = paste(whole, planted.choices);
    std::vector<WorkspaceFile> files =
        arguments.language == "python" ? python_workspace(hunt.exercise, code) : cpp_workspace(hunt.exercise, code);
    files.push_back({"HUNT.md", briefing(hunt, exercise, source, bugs)});
    files.push_back({hunt_sheet_name, to_toml({hunt.id, arguments.bugs, seed, arguments.language, version_of(hunt)})});
    const LaidFiles laid = lay(folder, files);

    const Style style = style_for(arguments.color, STDOUT_FILENO);
    const auto row = [&](const std::string& left, const std::string& right) {
        return fmt::format("  {}   {}\n", style.bold(pad_right(left, 34)), right);
    };
    std::string text = told(laid, name);
    text += fmt::format("\n{}: {} planted, seed {}.\n\n", hunt.title, counted(bugs, "bug"), seed);
    text += row(shell_word(name + "/" + source), "the code to mend");
    text += row(shell_word(name + "/README.md"), "the statement that it was written to");
    text += row("assay check " + shell_word(name), "how many are left, and which level still fails");
    print(text);
    return Exit::passed;
}

std::optional<HuntAtHand> hunt_at_hand(const std::string& exercise, const fs::path& source) {
    const fs::path file = source.parent_path() / hunt_sheet_name;
    std::error_code failed;
    if (!fs::exists(file, failed) || source.stem() != exercise) return std::nullopt;
    bool readable = false;
    const std::string text = read_text(file, readable, 1 << 16);
    if (!readable) throw Stop(Exit::usage, fmt::format("{} cannot be read: check its rights", file.string()));
    const Outcome<HuntSheet> sheet = parse_hunt_sheet(text, file.filename().string());
    if (!sheet) throw Stop(Exit::usage, sheet.failure().reason);
    const Hunt& hunt = require_hunt(sheet->hunt);
    if (hunt.exercise != exercise) return std::nullopt;
    if (sheet->version != version_of(hunt))
        throw Stop(Exit::usage,
                   fmt::format("{0} was written by another version of the hunt {1}, which draws other bugs: "
                               "lay a new one with: assay hunt {1}",
                               file.filename().string(), hunt.id));
    HuntAtHand at_hand{&hunt, require_template(hunt, "cpp"), {}, {}};
    at_hand.planted = plant(hunt, exercise_of(hunt), at_hand.whole, sheet->bugs, sheet->seed);
    at_hand.record.id = hunt.id;
    at_hand.record.seed = sheet->seed;
    at_hand.record.bugs = static_cast<int>(at_hand.planted.bugs.size());
    return at_hand;
}

} // namespace assay
