// exercise.toml: what it says, and how a fault in it is told.
#include "catalogue/settings.hpp"
#include "catch.hpp"

using namespace assay;

namespace {

const std::string good = R"(title = "T"
topic = "attention"
order = 10
summary = "S"
version = 2
languages = ["cpp"]

[build]
flags = ["-std=c++20", "-O2"]

[limits]
cpu_seconds = 1.5
memory_mib = 64
output_kib = 8
threads = 3

[points]
formula = 15
masks = 20
)";

std::string fault(const std::string& from, const std::string& to) {
    std::string text = good;
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    text.replace(at, from.size(), to);
    const Outcome<Settings> settings = parse_settings(text, "exercises/x/exercise.toml");
    REQUIRE_FALSE(settings.ok());
    return settings.failure().reason;
}

Exercise exercise(const std::vector<std::string>& levels) {
    Exercise exercise;
    exercise.id = "x";
    for (const std::string& id : levels) {
        Level level;
        level.id = id;
        exercise.levels.push_back(level);
    }
    return exercise;
}

} // namespace

TEST_CASE("settings are read") {
    const Outcome<Settings> settings = parse_settings(good, "f");
    REQUIRE(settings.ok());
    REQUIRE(settings->title == "T");
    REQUIRE(settings->version == 2);
    REQUIRE(settings->flags == std::vector<std::string>{"-std=c++20", "-O2"});
    REQUIRE(settings->cpu_seconds == 1.5);
    REQUIRE(settings->memory == std::uint64_t{64} << 20);
    REQUIRE(settings->output_bytes == std::size_t{8} << 10);
    REQUIRE(settings->threads == 3);
    REQUIRE(settings->points == std::map<std::string, int>{{"formula", 15}, {"masks", 20}});
}

TEST_CASE("a fault names file, line and key, and how to mend it") {
    REQUIRE(fault("version = 2", "version = 0") ==
            "exercises/x/exercise.toml, line 5: 'version' must be a whole number from 1 to 1000000");
    REQUIRE(fault("cpu_seconds = 1.5", "cpu_seconds = -1").find("line 12: 'limits.cpu_seconds' must be") !=
            std::string::npos);
    REQUIRE(fault("masks = 20", "masks = \"many\"").find("'points.masks'") != std::string::npos);
    REQUIRE(fault("memory_mib", "memory_mb").find("'limits.memory_mb' is not a key known here") != std::string::npos);
    REQUIRE(fault("[\"cpp\"]", "[\"rust\"]").find("rust") != std::string::npos);
    REQUIRE(fault("[\"-std=c++20\", \"-O2\"]", "[]").find("'build.flags'") != std::string::npos);
    REQUIRE(fault("title = \"T\"", "").find("'title' must be a text") != std::string::npos);
    REQUIRE(fault("[build]\nflags = [\"-std=c++20\", \"-O2\"]\n", "").find("[build] is missing") != std::string::npos);
    REQUIRE(fault("order = 10", "order = = 10").find("line 3") != std::string::npos);
}

TEST_CASE("points go to their levels, and none is left over") {
    const Outcome<Settings> settings = parse_settings(good, "f");
    const Outcome<Exercise> pointed = with_points(exercise({"formula", "masks"}), *settings);
    REQUIRE(pointed.ok());
    REQUIRE(pointed->levels[1].points == 20);
    REQUIRE(with_points(exercise({"formula"}), *settings).failure().reason.find("points.masks") != std::string::npos);
    REQUIRE(with_points(exercise({"formula", "masks", "new"}), *settings).failure().reason.find("'new'") !=
            std::string::npos);
}

TEST_CASE("every exercise of this build has sound settings") {
    REQUIRE(settings_of("sdpa").ok());
    REQUIRE_FALSE(settings_of("no-such-exercise").ok());
}

TEST_CASE("timed levels have points of their own, and fast.cpp its own flags and libraries") {
    const Outcome<Settings> settings = parse_settings(
        good + "[speed]\nspeed = 15\n[fast]\nflags = [\"-std=c++20\", \"-O3\"]\nlibraries = [\"hwy\"]\n", "f");
    REQUIRE(settings.ok());
    CHECK(settings->speed.at("speed") == 15);
    CHECK(settings->fast.flags == std::vector<std::string>{"-std=c++20", "-O3"});
    CHECK(settings->fast.libraries == std::vector<std::string>{"hwy"});
    CHECK(parse_settings(good, "f")->fast.flags == settings->flags);

    Exercise timed = exercise({"formula", "masks"});
    CHECK(with_points(timed, *settings).failure().reason.find("speed.speed names no level") != std::string::npos);
    timed.speed.push_back({"speed", "As fast as the solution", 0, {0.5}, {}});
    const Outcome<Exercise> pointed = with_points(timed, *settings);
    REQUIRE(pointed.ok());
    CHECK(pointed->speed.front().points == 15);
    timed.speed.front().id = "quick";
    CHECK(with_points(timed, *settings).failure().reason.find("'quick' has no points") != std::string::npos);
}

TEST_CASE("a fault in [fast] or [speed] is told with its line") {
    const std::string misspelt = good + "[fast]\nlibs = [\"hwy\"]\n";
    CHECK(parse_settings(misspelt, "f").failure().reason.find("'fast.libs' is not a key known here") !=
          std::string::npos);
    CHECK(parse_settings(good + "[speed]\nspeed = -1\n", "f").failure().reason.find("'speed.speed' must be a whole") !=
          std::string::npos);
}
