#include "catalogue/settings.hpp"

#include "catalogue/embedded.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <toml++/toml.h>

namespace assay {

namespace {

/// A fault in the file, with the place where it is to be mended.
struct Fault {
    std::string sentence;
};

class Reader {
  public:
    Reader(const toml::table& table, std::string_view file, std::string section)
        : table_(table), file_(file), section_(std::move(section)) {}

    [[noreturn]] void fault(std::string_view key, std::string_view what) const {
        const toml::node* node = table_.get(key);
        const auto line = node != nullptr ? node->source().begin.line : table_.source().begin.line;
        throw Fault{fmt::format("{}, line {}: '{}' {}", file_, line, full(key), what)};
    }

    std::string text(std::string_view key) const {
        const auto value = table_.get_as<std::string>(key);
        if (value == nullptr || value->get().empty())
            fault(key, fmt::format("must be a text, as in {} = \"...\"", key));
        return value->get();
    }

    std::int64_t integer(std::string_view key, std::int64_t low, std::int64_t high) const {
        const auto value = table_.get_as<std::int64_t>(key);
        if (value == nullptr || value->get() < low || value->get() > high)
            fault(key, fmt::format("must be a whole number from {} to {}", low, high));
        return value->get();
    }
    std::int64_t integer_or(std::string_view key, std::int64_t other, std::int64_t low, std::int64_t high) const {
        return table_.contains(key) ? integer(key, low, high) : other;
    }

    double number_or(std::string_view key, double other, double low, double high) const {
        if (!table_.contains(key)) return other;
        const auto value = table_.get(key)->value<double>(); // a whole number will do as well
        if (!value || !(*value >= low && *value <= high))
            fault(key, fmt::format("must be a number from {} to {}", low, high));
        return *value;
    }

    std::vector<std::string> texts(std::string_view key) const {
        const toml::array* array = table_.get_as<toml::array>(key);
        std::vector<std::string> result;
        if (array != nullptr)
            for (const toml::node& node : *array)
                if (const auto value = node.value<std::string>()) result.push_back(*value);
        if (array == nullptr || result.empty() || result.size() != array->size())
            fault(key, fmt::format("must be a list of texts, as in {} = [\"...\"]", key));
        return result;
    }

    Reader section(std::string_view key) const {
        const toml::table* inner = table_.get_as<toml::table>(key);
        if (inner == nullptr) throw Fault{fmt::format("{}: the section [{}] is missing", file_, key)};
        return {*inner, file_, std::string(key)};
    }

    /// A misspelt key would otherwise be ignored in silence.
    void only(std::initializer_list<std::string_view> known) const {
        for (const auto& [key, node] : table_)
            if (std::find(known.begin(), known.end(), key.str()) == known.end()) {
                std::string list;
                for (const std::string_view one : known) list += fmt::format("{}{}", list.empty() ? "" : ", ", one);
                fault(key.str(), "is not a key known here; known are " + list);
            }
    }

    const toml::table& table() const { return table_; }

  private:
    std::string full(std::string_view key) const {
        return section_.empty() ? std::string(key) : fmt::format("{}.{}", section_, key);
    }

    const toml::table& table_;
    std::string_view file_;
    std::string section_;
};

Settings read(const toml::table& table, std::string_view file) {
    const Reader top(table, file, "");
    top.only(
        {"title", "topic", "order", "summary", "version", "languages", "build", "limits", "points", "speed", "fast"});
    Settings s;
    s.title = top.text("title");
    s.topic = top.text("topic");
    s.order = static_cast<int>(top.integer_or("order", 0, 0, 1'000'000));
    s.summary = top.text("summary");
    s.version = static_cast<int>(top.integer("version", 1, 1'000'000));
    s.languages = top.texts("languages");
    for (const std::string& language : s.languages)
        if (language != "cpp" && language != "cuda" && language != "python")
            top.fault("languages", fmt::format("holds '{}'; a language is cpp, cuda or python", language));

    const Reader build = top.section("build");
    build.only({"flags"});
    s.flags = build.texts("flags");

    const Reader limits = top.section("limits");
    limits.only({"cpu_seconds", "memory_mib", "output_kib", "threads"});
    s.cpu_seconds = limits.number_or("cpu_seconds", s.cpu_seconds, 0.1, 600);
    s.memory = static_cast<std::uint64_t>(limits.integer_or("memory_mib", 1024, 16, 1 << 20)) << 20;
    s.output_bytes = static_cast<std::size_t>(limits.integer_or("output_kib", 256, 1, 1 << 20)) << 10;
    s.threads = static_cast<int>(limits.integer_or("threads", s.threads, 1, 1024));

    const auto points = [&top](const char* name, std::map<std::string, int>& to) {
        const Reader section = top.section(name);
        for (const auto& [level, node] : section.table())
            to[std::string(level.str())] = static_cast<int>(section.integer(level.str(), 0, 1000));
    };
    points("points", s.points);
    if (table.contains("speed")) points("speed", s.speed);
    s.fast.flags = s.flags;
    if (table.contains("fast")) {
        const Reader fast = top.section("fast");
        fast.only({"flags", "libraries"});
        if (fast.table().contains("flags")) s.fast.flags = fast.texts("flags");
        if (fast.table().contains("libraries")) s.fast.libraries = fast.texts("libraries");
    }
    return s;
}

} // namespace

Outcome<Settings> parse_settings(std::string_view text, std::string_view file) {
    try {
        return read(toml::parse(text, file), file);
    } catch (const toml::parse_error& error) {
        return Failure{Verdict::JE, fmt::format("{}, line {}, column {}: {}", file, error.source().begin.line,
                                                error.source().begin.column, error.description())};
    } catch (const Fault& fault) {
        return Failure{Verdict::JE, fault.sentence};
    }
}

Outcome<Settings> settings_of(std::string_view exercise) {
    const std::string file = fmt::format("exercises/{}/exercise.toml", exercise);
    const auto text = embedded(file);
    if (!text)
        return Failure{Verdict::JE, file + " is missing: write it, with title, topic, [build], [limits], [points]"};
    return parse_settings(*text, file);
}

namespace {

/// Every level has points in its section of the file, and every entry there is a level's.
template <class OneLevel> std::string enter_points(std::vector<OneLevel>& levels, const std::string& exercise,
                                                   std::string_view section, const std::map<std::string, int>& points) {
    for (OneLevel& level : levels) {
        const auto found = points.find(level.id);
        if (found == points.end())
            return fmt::format("exercises/{0}/exercise.toml: the level '{1}' has no points; add a line '{1} = ...' "
                               "under [{2}]",
                               exercise, level.id, section);
        level.points = found->second;
    }
    for (const auto& [id, worth] : points)
        if (std::none_of(levels.begin(), levels.end(), [&wanted = id](const OneLevel& l) { return l.id == wanted; }))
            return fmt::format("exercises/{}/exercise.toml: {}.{} names no level of the exercise", exercise, section,
                               id);
    return "";
}

} // namespace

Outcome<Exercise> with_points(const Exercise& exercise, const Settings& settings) {
    Exercise result = exercise;
    std::string fault = enter_points(result.levels, exercise.id, "points", settings.points);
    if (fault.empty()) fault = enter_points(result.speed, exercise.id, "speed", settings.speed);
    if (!fault.empty()) return Failure{Verdict::JE, fault};
    return result;
}

} // namespace assay
