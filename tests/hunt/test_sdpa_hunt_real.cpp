// The program of the hunt sdpa as a candidate gets it: pasted, compiled and run in a worker, in C++ and in Python. A
// few hunts; all bugs one by one, and 50 hunts, where ASSAY_LONG is set.
#include "hunt/real.hpp"

#include <bit>

using namespace assay;
using hunting::Hunting;

namespace {

const Hunting& sdpa() {
    static const Hunting one("sdpa");
    return one;
}

const Template& program(const std::string& language) {
    static const Template cpp = *template_of(sdpa().hunt, "cpp");
    static const Template python = *template_of(sdpa().hunt, "python");
    return language == "python" ? python : cpp;
}

bool can_run(const std::string& language) {
    if (language != "python" || find_interpreter()) return true;
    WARN("left out: " << find_interpreter().failure().reason);
    return false;
}

/// Counted as what it is with all bugs, with the first mended, and with none; accepted then and only then.
void expect_counted(const Planted& planted, const std::string& language) {
    hunting::Workshop workshop("sdpa");
    const int count = static_cast<int>(planted.bugs.size());
    const unsigned all = (1u << count) - 1;
    for (const unsigned subset : {all, all & ~1u, 0u}) {
        const std::vector<int> choices = with_bugs(sdpa().hunt, sdpa().whole, planted, subset);
        INFO(language << ", subset " << subset << " of " << sdpa().names(planted.bugs));
        const auto attempt = workshop.attempt(paste(program(language), choices), language);
        CHECK(count_remaining(sdpa().hunt, sdpa().exercise, sdpa().whole, planted, *attempt, 0) ==
              std::popcount(subset));
        CHECK(hunting::accepted(sdpa(), *attempt) == (subset == 0));
    }
}

} // namespace

TEST_CASE("sdpa's hunt: both languages have the same slots and fragments") {
    const Template &cpp = program("cpp"), &python = program("python");
    REQUIRE(cpp.slots.size() == python.slots.size());
    for (std::size_t slot = 0; slot < cpp.slots.size(); ++slot) {
        CHECK(cpp.slots[slot].name == python.slots[slot].name);
        REQUIRE(cpp.slots[slot].fragments.size() == python.slots[slot].fragments.size());
        for (std::size_t i = 0; i < cpp.slots[slot].fragments.size(); ++i)
            CHECK(cpp.slots[slot].fragments[i].name == python.slots[slot].fragments[i].name);
    }
}

TEST_CASE("sdpa's hunt: pasted programs are short, and name neither slots nor bugs") {
    Random random(6, "texts");
    for (int n = 0; n < 200; ++n)
        for (const char* language : {"cpp", "python"}) {
            std::vector<int> choices;
            for (const Slot& slot : program(language).slots)
                choices.push_back(
                    static_cast<int>(random.integer(0, static_cast<std::int64_t>(slot.fragments.size()) - 1)));
            const std::string text = paste(program(language), choices);
            CHECK(std::count(text.begin(), text.end(), '\n') < 150);
            CHECK(text.find("@{") == std::string::npos);
            for (int at = 0; at < sdpa().count(); ++at) CHECK(text.find(sdpa().bug(at).id) == std::string::npos);
        }
}

TEST_CASE("sdpa's hunt: hunts drawn by seeds are built, counted, and pass once they are mended") {
    for (std::uint64_t seed = 0; seed < (hunting::long_suite() ? 50u : 3u); ++seed) {
        const std::string language = seed % 3 == 2 ? "python" : "cpp";
        if (!can_run(language)) continue;
        const int count = 2 + static_cast<int>(seed % 3);
        expect_counted(plant(sdpa().hunt, sdpa().exercise, sdpa().whole, count, seed), language);
    }
}

TEST_CASE("sdpa's hunt: every fragment alone behaves in Python as in the model") {
    if (!can_run("python")) return;
    hunting::Workshop workshop("sdpa");
    int built = 0;
    for (std::size_t slot = 0; slot < sdpa().whole.slots.size(); ++slot)
        for (std::size_t i = 0; i < sdpa().whole.slots[slot].fragments.size(); ++i) {
            const Fragment& fragment = sdpa().whole.slots[slot].fragments[i];
            if (fragment.name == "right" && slot > 0) continue; // the same program
            if (++built % 8 != 0 && !hunting::long_suite()) continue;
            std::vector<int> choices(sdpa().whole.slots.size(), 0);
            choices[slot] = static_cast<int>(i);
            INFO(sdpa().whole.slots[slot].name << "/" << fragment.name);
            const auto attempt = workshop.attempt(paste(program("python"), choices), "python");
            const Level* level = nullptr;
            for (const HuntCase& one : sdpa().cases) {
                INFO(one.one->id);
                if (one.level != level) attempt->fresh();
                level = one.level;
                const Outcome<Answer> answer = attempt->answer(*one.level, one.problem);
                REQUIRE(answer);
                CHECK(answer->findings.empty());
                CHECK(agrees(answer->outputs, sdpa().answer(choices, one)));
            }
        }
}

TEST_CASE("sdpa's hunt: every fragment alone compiles without warnings") {
    const hunting::Scratch scratch;
    const std::string source = ASSAY_SOURCE_DIR;
    int pasted = 0;
    for (std::size_t slot = 0; slot < sdpa().whole.slots.size(); ++slot)
        for (std::size_t i = 0; i < sdpa().whole.slots[slot].fragments.size(); ++i) {
            if (++pasted % 15 != 0 && !hunting::long_suite()) continue;
            std::vector<int> choices(sdpa().whole.slots.size(), 0);
            choices[slot] = static_cast<int>(i);
            scratch.put("sdpa.cpp", paste(program("cpp"), choices));
            const Outcome<Ended> ended = scratch.compile(
                {"-O2", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Wunused",
                 "-I" + source + "/exercises/sdpa", "-I" + source + "/harness/contract", "sdpa.cpp"});
            REQUIRE(ended);
            INFO(sdpa().whole.slots[slot].name << "/" << sdpa().whole.slots[slot].fragments[i].name << ": "
                                               << ended->output);
            CHECK(ended->exit_code == 0);
            CHECK(ended->output.empty());
        }
}

TEST_CASE("sdpa's hunt: a file written from scratch has no bug left where it is right, else those that it has") {
    hunting::Workshop workshop("sdpa");
    const std::filesystem::path solutions = std::filesystem::path(ASSAY_SOURCE_DIR) / "solutions/sdpa";
    const auto left = [&](const std::string& file, const Planted& planted) {
        bool readable = false;
        const std::string text = read_text(solutions / file, readable, 1 << 20);
        REQUIRE(readable);
        INFO(file);
        const auto attempt = workshop.attempt(text, "cpp");
        return count_remaining(sdpa().hunt, sdpa().exercise, sdpa().whole, planted, *attempt, 0);
    };
    const auto position = [&](const std::string& id) {
        for (int at = 0; at < sdpa().count(); ++at)
            if (sdpa().bug(at).id == id) return at;
        FAIL("no bug " << id);
        return 0;
    };
    for (const char* file : {"solution.cpp", "accepted/online-per-key.cpp", "accepted/exp2-folded-scale.cpp",
                             "accepted/split-and-merge.cpp"}) {
        if (std::string_view(file) != "solution.cpp" && !hunting::long_suite()) continue;
        CHECK(left(file, plant(sdpa().hunt, sdpa().exercise, sdpa().whole, 3, 7)) == 0);
    }
    // Wrong attempts of the exercise's bank whose forms the hunt has as well; sentinels and maxima there go without the
    // guard of empty rows or with one of their own.
    const std::vector<std::string> files{"gqa-tiled",          "mask-inverted",     "causal-top-left",
                                         "causal-strict",      "scale-by-d",        "scale-by-model-width",
                                         "scale-twice",        "scale-missing",     "mask-after-softmax",
                                         "mask-batch-as-head", "no-max-subtraction"};
    const int other = position("first-weight-twice");
    for (const std::string& file : files) {
        if (file != "gqa-tiled" && !hunting::long_suite()) continue;
        INFO(file);
        std::vector<int> both{position(file.substr(0, file.find("--"))), other};
        std::sort(both.begin(), both.end());
        CHECK(left("rejected/WA/" + file + ".cpp", sdpa().with(both)) == 1);
        CHECK_FALSE(left("rejected/WA/" + file + ".cpp", sdpa().with({other})));
    }
}
