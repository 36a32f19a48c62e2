// exercise.toml: an exercise's title, order, languages, flags, limits and points.
#ifndef ASSAY_CATALOGUE_SETTINGS_HPP
#define ASSAY_CATALOGUE_SETTINGS_HPP

#include "core/exercise.hpp"
#include "core/outcome.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct Settings {
    std::string title;
    std::string topic;
    int order = 0; // within the topic
    std::string summary;
    int version = 0;
    std::vector<std::string> languages; // "cpp"; "cuda" and "python" are known names
    std::vector<std::string> flags;     // [build] flags
    double cpu_seconds = 2;             // [limits] of one call
    std::uint64_t memory = std::uint64_t{1} << 30;
    std::size_t output_bytes = std::size_t{256} << 10;
    int threads = 2;
    std::map<std::string, int> points;      // [points] by level id
    std::map<std::string, int> speed;       // [speed] by timed level's id
    struct Fast {                           // [fast]: how fast.cpp is built, with -march=native beside
        std::vector<std::string> flags;     // default: those of [build]
        std::vector<std::string> libraries; // "hwy"
    } fast;
};

/// Reads the text of an exercise.toml. Failure (JE): one sentence with file, line, key, and how to mend it.
Outcome<Settings> parse_settings(std::string_view text, std::string_view file);

/// The settings of a registered exercise, from its embedded exercise.toml.
Outcome<Settings> settings_of(std::string_view exercise);

/// `exercise` with the points of `settings` in its levels, the timed ones too. Failure (JE): a level without points, or
/// points without a level.
Outcome<Exercise> with_points(const Exercise& exercise, const Settings& settings);

} // namespace assay

#endif
