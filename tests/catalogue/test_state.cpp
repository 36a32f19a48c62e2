// Progress: kept whole, never in the way.
#include "catalogue/files.hpp"
#include "catalogue/state.hpp"
#include "catch.hpp"
#include "cli/assay.hpp"
#include "report/sample_record.hpp"

#include <sys/wait.h>
#include <unistd.h>

using namespace assay;

TEST_CASE("progress is written and read back") {
    const tests::Place place;
    REQUIRE(change_state(place.state(), [](State& state) {
                Progress& progress = state.exercises["sdpa"];
                progress.best = Verdict::WA;
                progress.score = 12;
                progress.hints["masks"] = 2;
                progress.workspace = "/some/where";
                progress.solution_revealed = true;
                state.latest = "sdpa";
            }).empty());
    std::string note;
    const State state = read_state(place.state(), note);
    REQUIRE(note.empty());
    REQUIRE(state.latest == "sdpa");
    REQUIRE(state.of("sdpa").best == Verdict::WA);
    REQUIRE(state.of("sdpa").hints.at("masks") == 2);
    REQUIRE(state.of("sdpa").solution_revealed);
    REQUIRE_FALSE(state.of("other").best.has_value());
}

TEST_CASE("damaged progress is set aside, whatever the damage") {
    for (const char* text :
         {"", "{", "[]", "{\"exercises\": 3}", "{\"exercises\": {\"sdpa\": {\"hints\": {\"a\": \"b\"}}}}"}) {
        const tests::Place place;
        REQUIRE(write_text(place.state(), text).empty());
        std::string note;
        const State state = read_state(place.state(), note);
        CAPTURE(text, note);
        REQUIRE(state.exercises.empty());
        REQUIRE(note.find("damaged") != std::string::npos);
        REQUIRE(tests::Place::read_whole(place.state().string() + ".damaged") == text);
    }
}

TEST_CASE("progress that cannot be kept is a note") {
    REQUIRE(change_state("/proc/no/such/progress.json", [](State&) {}).find("not kept") != std::string::npos);
}

TEST_CASE("the best result stays, the latest failing level follows") {
    State state;
    Record record = tests::sample_record();
    remember(state, record);
    REQUIRE(state.of("sdpa").failing_level == "empty");
    REQUIRE(state.of("sdpa").score == 10);
    record.verdict = Verdict::AC;
    record.score = 30;
    for (LevelRecord& level : record.levels) level.verdict = Verdict::AC;
    remember(state, record);
    REQUIRE(state.of("sdpa").best == Verdict::AC);
    REQUIRE(state.of("sdpa").failing_level.empty());
    remember(state, tests::sample_record());
    REQUIRE(state.of("sdpa").best == Verdict::AC); // a later failure takes nothing away
    REQUIRE(state.of("sdpa").last == Verdict::WA);
    REQUIRE(state.of("sdpa").failing_level == "empty");
}

TEST_CASE("a partial check moves no points") {
    State state;
    Record record = tests::sample_record();
    record.partial = true;
    remember(state, record);
    REQUIRE_FALSE(state.of("sdpa").best.has_value());
    REQUIRE(state.of("sdpa").failing_level == "empty");
}

TEST_CASE("several programs at once lose no progress") {
    const tests::Place place;
    std::vector<pid_t> children;
    for (int i = 0; i < 8; ++i) {
        const pid_t child = fork();
        if (child == 0) {
            for (int j = 0; j < 5; ++j)
                change_state(place.state(), [](State& state) { ++state.exercises["sdpa"].hints["masks"]; });
            _exit(0);
        }
        children.push_back(child);
    }
    for (const pid_t child : children) waitpid(child, nullptr, 0);
    std::string note;
    REQUIRE(read_state(place.state(), note).of("sdpa").hints.at("masks") == 40);
}
