// Honest and hostile attempts together, in a random order and on several threads: the honest get what they get alone.
#include "catch.hpp"

#include "core/random.hpp"
#include "hostile/play.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>

namespace {

using namespace assay;
using namespace assay::hostile;
namespace fs = std::filesystem;

const fs::path sources = ASSAY_SOURCE_DIR;

/// Right and wrong ones of every verdict, as a candidate might hand them in.
std::vector<Asked> honest_attempts() {
    std::vector<Asked> attempts;
    for (const char* file :
         {"solutions/sdpa/solution.cpp", "solutions/sdpa/rejected/WA/scale-missing.cpp", "exercises/sdpa/starter.cpp",
          "solutions/sdpa/rejected/RTE/division-by-zero.cpp", "solutions/sdpa/rejected/CE/does-not-compile.cpp",
          "solutions/sdpa/rejected/RTE/throws.cpp", "solutions/sdpa/rejected/WA/softmax-over-queries.cpp",
          "solutions/sdpa/rejected/OLE/output-flood.cpp"})
        attempts.push_back({sources / file, "sdpa", "formula"});
    return attempts;
}

} // namespace

TEST_CASE("honest attempts get beside hostile ones the verdict that they get alone", "[hostile]") {
    const std::size_t wanted = std::getenv("ASSAY_LONG") != nullptr ? 200 : 24;
    const std::string level = levels_here().back();
    Ground ground;
    const std::vector<Asked> honest = honest_attempts();
    const std::vector<std::string> alone = play_together(ground, honest, 1, level);
    REQUIRE(alone.size() == honest.size());
    std::map<std::string, std::string> right;
    for (std::size_t i = 0; i < honest.size(); ++i) {
        INFO(honest[i].source << " got " << alone[i]);
        CHECK(fs::exists(honest[i].source));
        CHECK(alone[i].find(' ') == std::string::npos); // a verdict, no sentence
        right[honest[i].source.string()] = alone[i];
    }
    CHECK(right[honest[0].source.string()] == "AC");

    std::vector<Program> hostile;
    for (Program& program : programs_in(sources / "tests/hostile/attempts"))
        if (!program.slow && program.cpu_seconds <= 1 && program.laid_as == "attempt.cpp" &&
            may_be_played(program, level))
            hostile.push_back(std::move(program));
    Random random(20, "interleaved");
    const auto one_of = [&](std::size_t count) {
        return static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(count) - 1));
    };
    std::vector<Asked> asked;
    std::vector<const Program*> played; // null: an honest one
    while (asked.size() < wanted) {
        if (random.chance(0.5)) {
            asked.push_back(honest[one_of(honest.size())]);
            played.push_back(nullptr);
        } else {
            const Program& program = hostile[one_of(hostile.size())];
            asked.push_back({ground.lay(program), program.exercise, program.asked});
            played.push_back(&program);
        }
    }
    const std::vector<std::string> together = play_together(ground, asked, 4, level);
    REQUIRE(together.size() == asked.size());
    for (std::size_t i = 0; i < asked.size(); ++i) {
        INFO(asked[i].source << (played[i] != nullptr ? " (" + played[i]->name + ")" : "") << " got " << together[i]);
        if (played[i] == nullptr) {
            CHECK(together[i] == right[asked[i].source.string()]);
        } else {
            const std::vector<std::string>& expected = played[i]->expected.at(level);
            CHECK(std::find(expected.begin(), expected.end(), together[i]) != expected.end());
        }
    }
    CHECK(ground.effects() == Effects{});
}
