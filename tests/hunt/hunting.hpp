// One exercise's hunt at hand: its program, its cases, and its bugs by their ids.
#ifndef ASSAY_TESTS_HUNT_HUNTING_HPP
#define ASSAY_TESTS_HUNT_HUNTING_HPP

#include "catch.hpp"
#include "core/random.hpp"
#include "core/registry.hpp"
#include "hunt/plant.hpp"
#include "hunt/remaining.hpp"
#include "judge/compare.hpp"
#include "judge/elements.hpp"
#include "judge/oracle_attempt.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace hunting {

using namespace assay;

inline bool long_suite() { return std::getenv("ASSAY_LONG") != nullptr; }

/// Whether no one program can answer both.
inline bool apart(const Truths& a, const Truths& b) {
    for (std::size_t t = 0; t < a.size(); ++t)
        for (std::size_t i = 0; i < a[t].value.size(); ++i)
            if (differ(a[t].value[i], b[t].value[i], a[t].bound[i] + b[t].bound[i])) return true;
    return false;
}

class Hunting {
  public:
    explicit Hunting(const std::string& id)
        : hunt(required(find_hunt(id))), exercise(required(find_exercise(hunt.exercise))),
          whole(*template_of(hunt, "cpp")), cases(cases_of(hunt, exercise, 0)) {}

    const Hunt& hunt;
    const Exercise& exercise;
    const Template whole;
    const std::vector<HuntCase> cases;

    int count() const { return static_cast<int>(hunt.bugs.size()); }
    const Bug& bug(int at) const { return hunt.bugs[static_cast<std::size_t>(at)]; }

    /// Slot and fragment of a bug.
    std::pair<std::size_t, int> place(int at) const {
        for (std::size_t slot = 0; slot < whole.slots.size(); ++slot)
            if (const int fragment = whole.slots[slot].position(bug(at).id); fragment >= 0) return {slot, fragment};
        FAIL("bug " << bug(at).id << " has no fragment");
        return {};
    }
    bool share_a_slot(const std::vector<int>& bugs) const {
        std::vector<std::size_t> slots;
        for (const int at : bugs) slots.push_back(place(at).first);
        std::sort(slots.begin(), slots.end());
        return std::adjacent_find(slots.begin(), slots.end()) != slots.end();
    }

    /// These bugs (positions, rising) in their slots, plain right code elsewhere.
    Planted with(const std::vector<int>& bugs) const {
        Planted planted{bugs, std::vector<int>(whole.slots.size(), 0)};
        for (const int at : bugs) planted.choices[place(at).first] = place(at).second;
        return planted;
    }
    bool told_apart(const Planted& planted) const { return are_told_apart(hunt, whole, planted, cases); }

    const HuntCase& one(const std::string& id) const {
        for (const HuntCase& one : cases)
            if (one.one->id == id) return one;
        FAIL("no case " << id << " in the hunt's levels");
        return cases.front();
    }
    Truths answer(const std::vector<int>& choices, const HuntCase& one) const {
        return run_choices(hunt, choices, one.problem);
    }
    Truths truth(const HuntCase& one) const {
        const std::optional<Truths> truths = exercise.oracle(one.problem, "", 0);
        REQUIRE(truths);
        return *truths;
    }

    /// Whether a named probe of one of the bugs tells the program from right code, and the exercise rejects it there.
    bool found_by_a_probe(const Planted& planted) const {
        const std::vector<int> right(whole.slots.size(), 0);
        for (const int at : planted.bugs)
            for (const std::string& probe : bug(at).probes) {
                const HuntCase& asked = one(probe);
                const Truths wrong = answer(planted.choices, asked);
                if (apart(wrong, answer(right, asked)) && !agrees(rounded(wrong), truth(asked))) return true;
            }
        return false;
    }

    /// What an attempt that behaves as these choices do is told of `planted`.
    std::optional<int> remaining(const Planted& planted, const std::vector<int>& choices) const {
        OracleAttempt attempt(exercise, [&](const Problem& problem) { return run_choices(hunt, choices, problem); });
        return count_remaining(hunt, exercise, whole, planted, attempt, 0);
    }

    std::string names(const std::vector<int>& bugs) const {
        std::string text;
        for (const int at : bugs) text += (text.empty() ? "" : " ") + bug(at).id;
        return text;
    }

    /// `count` bugs in slots of their own that are told apart, drawn anew until they are.
    Planted drawn(int count, Random& random) const {
        while (true) {
            std::vector<int> bugs;
            while (static_cast<int>(bugs.size()) < count) {
                const int at = static_cast<int>(random.integer(0, this->count() - 1));
                if (std::find(bugs.begin(), bugs.end(), at) == bugs.end()) bugs.push_back(at);
            }
            std::sort(bugs.begin(), bugs.end());
            if (share_a_slot(bugs) || has_inseparable_pair(bugs)) continue;
            Planted planted = with(bugs);
            if (told_apart(planted)) return planted;
        }
    }

    /// A right fragment or decoy in every slot, drawn.
    std::vector<int> right_choices(Random& random) const {
        std::vector<int> choices;
        for (const Slot& slot : whole.slots) {
            std::vector<int> right;
            for (std::size_t i = 0; i < slot.fragments.size(); ++i)
                if (slot.fragments[i].is_right()) right.push_back(static_cast<int>(i));
            choices.push_back(
                right[static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(right.size()) - 1))]);
        }
        return choices;
    }

  private:
    mutable std::map<std::pair<int, int>, bool> separable_; // asked once a pair

    /// Spares the dear question about all their subsets.
    bool has_inseparable_pair(const std::vector<int>& bugs) const {
        for (const int a : bugs)
            for (const int b : bugs) {
                if (a >= b) continue;
                const auto [known, fresh] = separable_.try_emplace({a, b}, true);
                if (fresh) known->second = told_apart(with({a, b}));
                if (!known->second) return true;
            }
        return false;
    }

    template <class T> static const T& required(const T* found) {
        REQUIRE(found != nullptr);
        return *found;
    }
};

} // namespace hunting

#endif
