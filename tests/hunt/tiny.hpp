// A made-up hunt without an exercise's texts: y = x · factor + offset, with bugs that cancel, hide others, look alike
// or do nothing.
#ifndef ASSAY_TESTS_HUNT_TINY_HPP
#define ASSAY_TESTS_HUNT_TINY_HPP

#include "catch.hpp"
#include "core/level.hpp"
#include "hunt/plant.hpp"

#include <map>
#include <string>
#include <vector>

namespace tiny {

using namespace assay;

inline constexpr double bound = 0.125;

/// Slots and their fragments, "right" left out. `gentle` differs from right code by less than two bounds.
inline const std::map<std::string, std::vector<std::string>>& slots() {
    static const std::map<std::string, std::vector<std::string>> all{
        {"scale", {"doubled", "decoy--sum"}},        // x counted twice
        {"share", {"halved"}},                       // and halved again: the two cancel
        {"offset", {"two", "four", "right--late"}},  // in place of 1
        {"left", {"left-more"}},                     // 16 more,
        {"right", {"right-more"}},                   // 16 more as well
        {"sign", {"flipped"}},                       // the sign of a negative x lost
        {"answer", {"seven"}},                       // 7, whatever else is done
        {"idle", {"idle"}},                          // no effect
        {"gentle", {"gentle"}},                      // too little to be seen
        {"zero", {"no-number", "decoy--nan-guard"}}, // NaN where x = 0
    };
    return all;
}

inline const Template& program() {
    static const Template whole = [] {
        std::string text;
        std::vector<std::pair<std::string, std::string>> files;
        for (const auto& [slot, fragments] : slots()) {
            text += "@{" + slot + "}\n";
            files.emplace_back(slot + "/right.cpp", "right\n");
            for (const std::string& fragment : fragments)
                files.emplace_back(slot + "/" + fragment + ".cpp", fragment + "\n");
        }
        files.emplace_back("template.cpp", text);
        Outcome<Template> read = read_template(files, "cpp");
        REQUIRE(read);
        return *read;
    }();
    return whole;
}

inline const int*& chosen() {
    static const int* choices = nullptr;
    return choices;
}

inline double computed(const std::vector<std::string>& bugs, double x) {
    const auto has = [&](const char* bug) { return std::find(bugs.begin(), bugs.end(), bug) != bugs.end(); };
    if (has("seven")) return 7;
    if (has("no-number") && x == 0) return std::nan("");
    if (has("flipped") && x < 0) x = -x;
    double y = x * (has("doubled") ? 2 : 1) * (has("halved") ? 0.5 : 1);
    y += has("two") ? 2 : has("four") ? 4 : 1;
    y += (has("left-more") ? 16 : 0) + (has("right-more") ? 16 : 0) + (has("gentle") ? 0.2 : 0);
    return y;
}

inline Truths truths(double y) {
    Truth truth;
    truth.name = "y";
    truth.value = {y};
    truth.bound = {std::isfinite(y) ? bound : 0};
    truth.dtype = Dtype::f64;
    return {truth};
}

inline Hunt hunt() {
    Hunt hunt;
    hunt.id = hunt.exercise = "tiny";
    hunt.levels = {"first", "second"};
    for (const auto& [slot, fragments] : slots())
        for (const std::string& id : fragments)
            if (!Fragment{id, ""}.is_right()) hunt.bugs.push_back({id, id, {"three"}});
    hunt.choose = [](const int* choices) { chosen() = choices; };
    hunt.run = [](const Problem& problem) {
        std::vector<std::string> bugs;
        for (std::size_t slot = 0; slot < program().slots.size(); ++slot)
            bugs.push_back(program().slots[slot].fragments[static_cast<std::size_t>(chosen()[slot])].name);
        return truths(computed(bugs, problem.number_or("x", 0)));
    };
    return hunt;
}

inline Case case_of(const std::string& id, double x) {
    Case one;
    one.id = id;
    one.make = [x](std::uint64_t seed) {
        Problem problem;
        problem.route = "tiny";
        problem.fields.push_back({"x", x, {}});
        problem.fields.push_back({"seed", static_cast<std::int64_t>(seed), {}});
        return problem;
    };
    return one;
}

/// A third level is not the hunt's.
inline const Exercise& exercise() {
    static const Exercise whole = [] {
        Exercise one;
        one.id = "tiny";
        one.levels.push_back(make_level("first", "First", {}, {case_of("three", 3)}));
        one.levels.push_back(make_level("second", "Second", {}, {case_of("minus", -2), case_of("zero", 0)}));
        one.levels.push_back(make_level("other", "Other", {}, {case_of("ten", 10)}));
        return one;
    }();
    return whole;
}

/// These bugs in their slots, right code elsewhere.
inline Planted planted(const std::vector<std::string>& ids) {
    const Hunt whole = hunt();
    Planted planted;
    planted.choices.assign(program().slots.size(), 0);
    for (std::size_t bug = 0; bug < whole.bugs.size(); ++bug)
        for (std::size_t slot = 0; slot < program().slots.size(); ++slot) {
            const int fragment = program().slots[slot].position(whole.bugs[bug].id);
            if (fragment < 0 || std::find(ids.begin(), ids.end(), whole.bugs[bug].id) == ids.end()) continue;
            planted.bugs.push_back(static_cast<int>(bug));
            planted.choices[slot] = fragment;
        }
    REQUIRE(planted.bugs.size() == ids.size());
    return planted;
}

inline std::vector<std::string> names(const Planted& planted) {
    const Hunt whole = hunt();
    std::vector<std::string> ids;
    for (const int bug : planted.bugs) ids.push_back(whole.bugs[static_cast<std::size_t>(bug)].id);
    return ids;
}

} // namespace tiny

#endif
