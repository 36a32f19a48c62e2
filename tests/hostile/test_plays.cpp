// Every hostile attempt is played: it gets the verdict that its header names, and whatever the level is said to stop
// did not happen.
#include "catch.hpp"

#include "hostile/play.hpp"

#include <algorithm>
#include <cstdlib>
#include <iostream>

namespace {

using namespace assay::hostile;

const std::filesystem::path attempts = std::filesystem::path(ASSAY_SOURCE_DIR) / "tests/hostile/attempts";

bool long_suite() { return std::getenv("ASSAY_LONG") != nullptr; }

void play_and_check(Ground& ground, const Program& program, const std::string& level) {
    if (!may_be_played(program, level)) return;
    const Played played = play(ground, program, level);
    INFO(program.name << " at " << level << ": " << program.attack);
    for (const std::string& fault : played.faults) {
        INFO(fault);
        CHECK(fault.empty());
    }
    if (played.verdict != "unusable" && played.effects.count("judge") == 0) CHECK(played.isolation == level);
}

} // namespace

TEST_CASE("at the highest level that this machine reaches, no attack succeeds", "[hostile]") {
    const std::string level = levels_here().back();
    if (level != levels.back()) std::cerr << "SKIP of what is above: this machine reaches the level " << level << "\n";
    Ground ground;
    for (const Program& program : programs_in(attempts))
        if (long_suite() || !program.slow) play_and_check(ground, program, level);
}

TEST_CASE("at each lower level, what is said to be stopped is stopped", "[hostile]") {
    const std::vector<std::string> here = levels_here();
    Ground ground;
    std::size_t number = 0;
    for (const Program& program : programs_in(attempts))
        for (const std::string& level : here) {
            if (level == here.back()) continue;
            // 41 is prime to the number of lower levels: the sample walks over programs and levels alike.
            if (long_suite() || (!program.slow && ++number % 41 == 0)) play_and_check(ground, program, level);
        }
}

TEST_CASE("the proofs can fail: what the lowest level does not stop is seen", "[hostile]") {
    Ground ground;
    const auto seen = [&](const std::string& name, const std::string& effect) {
        const Program program = read_program(attempts / (name + ".cpp"));
        REQUIRE(program.is_open_at("limits", true));
        INFO(name);
        CHECK(play(ground, program, "limits").effects.count(effect) == 1);
    };
    seen("compile/quoted-line", "secret");
    seen("run/read-public", "secret");
    seen("run/network-unix", "peer");
    seen("run/write-outside", "file");
    seen("run/leaves-shm", "memory");
}
