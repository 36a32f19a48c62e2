#include "commands/record_frame.hpp"

#include "attempt/build_cuda.hpp"
#include "catalogue/embedded.hpp"
#include "catalogue/files.hpp"
#include "commands/stop.hpp"
#include "core/registry.hpp"
#include "judge/selection.hpp"
#include "python/build.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <sys/utsname.h>

#ifndef ASSAY_VERSION
#define ASSAY_VERSION "unknown"
#endif

namespace fs = std::filesystem;

namespace assay {

namespace {

std::string system_name() {
    utsname name{};
    if (uname(&name) != 0) return "Linux";
    return fmt::format("{} {}", name.sysname, name.machine);
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
}

} // namespace

void skip_all_levels(const Exercise& exercise, const std::string& reason, Record& record,
                     const std::vector<std::string>& not_asked) {
    const std::vector<int> numbers = level_numbers(exercise);
    for (std::size_t i = 0; i < exercise.levels.size(); ++i) {
        const Level& level = exercise.levels[i];
        if (std::find(not_asked.begin(), not_asked.end(), level.id) != not_asked.end()) continue;
        LevelRecord skipped;
        skipped.id = level.id;
        skipped.number = numbers[i];
        skipped.title = level.title;
        skipped.must = level.must;
        skipped.points = level.points;
        skipped.reason = reason;
        (level.must ? record.max_score : record.max_bonus) += level.points;
        record.levels.push_back(std::move(skipped));
    }
}

ExerciseAtHand exercise_at_hand(const std::string& id) {
    const Exercise* registered = find_exercise(id);
    if (registered == nullptr) throw Stop(Exit::usage, "no such exercise: " + id);
    const Outcome<Settings> settings = settings_of(id);
    if (!settings) throw Stop(Exit::fault, settings.failure().reason);
    const Outcome<Exercise> exercise = with_points(*registered, *settings);
    if (!exercise) throw Stop(Exit::fault, exercise.failure().reason);
    return {*exercise, *settings};
}

void name_exercise(const Exercise& exercise, const Settings& settings, Record& record) {
    record.exercise = exercise.id;
    record.title = settings.title;
    record.exercise_version = settings.version;
    record.exercise_hash = exercise_hash(exercise.id);
}

Environment environment_of(const Layers& layers) {
    Environment environment;
    environment.assay = ASSAY_VERSION;
    environment.isolation = name_of(layers.level());
    environment.layers = layers.names();
    environment.withheld = layers.withheld_names();
    environment.system = system_name();
    return environment;
}

Translator find_translator(const fs::path& source, const std::string& compiler) {
    Translator translator;
    if (is_python(source)) {
        const Outcome<Interpreter> found = find_interpreter();
        if (!found) throw Stop(Exit::environment, found.failure().reason);
        translator.python = *found;
        return translator;
    }
    const Outcome<Toolchain> found = find_toolchain(compiler, cache_folder());
    if (!found) throw Stop(Exit::environment, found.failure().reason);
    translator.toolchain = *found;
    translator.emulated = is_cuda(source);
    return translator;
}

void name_translator(const Translator& translator, const Settings& settings, Environment& environment) {
    if (translator.python) {
        environment.compiler = translator.python->version;
        return;
    }
    environment.compiler = translator.toolchain.version;
    environment.linker = translator.toolchain.linker;
    environment.flags = joined(settings.flags);
    if (translator.emulated) environment.device = emulated_device;
    if (translator.device) {
        environment.compiler = fmt::format("{} with {}", translator.device->version, translator.toolchain.version);
        environment.linker.clear();
        environment.device = "cuda";
    }
}

Environment environment_for(const std::string& id, const fs::path& source, const std::string& compiler) {
    const Outcome<Settings> settings = settings_of(id);
    if (!settings) throw Stop(Exit::fault, settings.failure().reason);
    Environment environment = environment_of(layers_here());
    name_translator(find_translator(source, compiler), *settings, environment);
    return environment;
}

Record blank_record(const std::string& id, const std::string& source, Verdict verdict, const std::string& reason) {
    const ExerciseAtHand at_hand = exercise_at_hand(id);
    Record record;
    name_exercise(at_hand.exercise, at_hand.settings, record);
    record.environment = environment_of(layers_here());
    record.source = source;
    record.verdict = verdict;
    record.reason = reason;
    skip_all_levels(at_hand.exercise, "not run", record);
    return record;
}

} // namespace assay
