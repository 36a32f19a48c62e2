// What every hunt's program must be as a candidate gets it: pasted, compiled and run in a worker, in C++ and in Python.
// A few hunts; all fragments one by one, and 50 hunts, where ASSAY_LONG is set.
#ifndef ASSAY_TESTS_HUNT_REAL_CHECKS_HPP
#define ASSAY_TESTS_HUNT_REAL_CHECKS_HPP

#include "hunt/real.hpp"

#include <bit>

namespace hunting {

inline Template program(const Hunting& own, const std::string& language) { return *template_of(own.hunt, language); }

inline bool can_run(const std::string& language) {
    if (language != "python" || find_interpreter()) return true;
    WARN("left out: " << find_interpreter().failure().reason);
    return false;
}

/// Counted as what it is with all bugs, with the first mended, and with none; accepted then and only then.
inline void expect_counted(const Hunting& own, const Planted& planted, const std::string& language) {
    Workshop workshop(own.hunt.exercise);
    const int count = static_cast<int>(planted.bugs.size());
    const unsigned all = (1u << count) - 1;
    for (const unsigned subset : {all, all & ~1u, 0u}) {
        const std::vector<int> choices = with_bugs(own.hunt, own.whole, planted, subset);
        INFO(language << ", subset " << subset << " of " << own.names(planted.bugs));
        const auto attempt = workshop.attempt(paste(program(own, language), choices), language);
        CHECK(count_remaining(own.hunt, own.exercise, own.whole, planted, *attempt, 0) == std::popcount(subset));
        CHECK(accepted(own, *attempt) == (subset == 0));
    }
}

inline void expect_same_slots(const Hunting& own) {
    const Template cpp = program(own, "cpp"), python = program(own, "python");
    REQUIRE(cpp.slots.size() == python.slots.size());
    for (std::size_t slot = 0; slot < cpp.slots.size(); ++slot) {
        CHECK(cpp.slots[slot].name == python.slots[slot].name);
        REQUIRE(cpp.slots[slot].fragments.size() == python.slots[slot].fragments.size());
        for (std::size_t i = 0; i < cpp.slots[slot].fragments.size(); ++i)
            CHECK(cpp.slots[slot].fragments[i].name == python.slots[slot].fragments[i].name);
    }
}

inline void expect_plain_texts(const Hunting& own) {
    const Template cpp = program(own, "cpp"), python = program(own, "python");
    Random random(6, "texts");
    for (int n = 0; n < 200; ++n)
        for (const Template* whole : {&cpp, &python}) {
            std::vector<int> choices;
            for (const Slot& slot : whole->slots)
                choices.push_back(
                    static_cast<int>(random.integer(0, static_cast<std::int64_t>(slot.fragments.size()) - 1)));
            const std::string text = paste(*whole, choices);
            CHECK(std::count(text.begin(), text.end(), '\n') < 150);
            CHECK(text.find("@{") == std::string::npos);
            for (int at = 0; at < own.count(); ++at) CHECK(text.find(own.bug(at).id) == std::string::npos);
        }
}

inline void expect_mended(const Hunting& own) {
    for (std::uint64_t seed = 0; seed < (long_suite() ? 50u : 3u); ++seed) {
        const std::string language = seed % 3 == 2 ? "python" : "cpp";
        if (!can_run(language)) continue;
        const int count = 2 + static_cast<int>(seed % 3);
        expect_counted(own, plant(own.hunt, own.exercise, own.whole, count, seed), language);
    }
}

inline void expect_python_like_model(const Hunting& own) {
    if (!can_run("python")) return;
    Workshop workshop(own.hunt.exercise);
    int built = 0;
    const Template text = program(own, "python");
    for (std::size_t slot = 0; slot < own.whole.slots.size(); ++slot)
        for (std::size_t i = 0; i < own.whole.slots[slot].fragments.size(); ++i) {
            const Fragment& fragment = own.whole.slots[slot].fragments[i];
            if (fragment.name == "right" && slot > 0) continue; // the same program
            if (++built % 8 != 0 && !long_suite()) continue;
            std::vector<int> choices(own.whole.slots.size(), 0);
            choices[slot] = static_cast<int>(i);
            INFO(own.whole.slots[slot].name << "/" << fragment.name);
            const auto attempt = workshop.attempt(paste(text, choices), "python");
            const Level* level = nullptr;
            for (const HuntCase& one : own.cases) {
                INFO(one.one->id);
                if (one.level != level) attempt->fresh();
                level = one.level;
                const Outcome<Answer> answer = attempt->answer(*one.level, one.problem);
                REQUIRE(answer);
                CHECK(answer->findings.empty());
                CHECK(agrees(answer->outputs, own.answer(choices, one)));
            }
        }
}

inline void expect_no_warnings(const Hunting& own) {
    const Scratch scratch;
    const std::string source = ASSAY_SOURCE_DIR;
    int pasted = 0;
    const Template text = program(own, "cpp");
    for (std::size_t slot = 0; slot < own.whole.slots.size(); ++slot)
        for (std::size_t i = 0; i < own.whole.slots[slot].fragments.size(); ++i) {
            if (++pasted % 15 != 0 && !long_suite()) continue;
            std::vector<int> choices(own.whole.slots.size(), 0);
            choices[slot] = static_cast<int>(i);
            scratch.put("program.cpp", paste(text, choices));
            const Outcome<Ended> ended =
                scratch.compile({"-O2", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow",
                                 "-Wunused", "-I" + source + "/exercises/" + own.hunt.exercise,
                                 "-I" + source + "/harness/contract", "program.cpp"});
            REQUIRE(ended);
            INFO(own.whole.slots[slot].name << "/" << own.whole.slots[slot].fragments[i].name << ": " << ended->output);
            CHECK(ended->exit_code == 0);
            CHECK(ended->output.empty());
        }
}

} // namespace hunting

#endif
