#include "hunt/plant.hpp"

#include "core/random.hpp"
#include "judge/elements.hpp"

#include <algorithm>

namespace assay {

namespace {

int slot_of(const Template& whole, const Bug& bug, int& fragment) {
    for (std::size_t slot = 0; slot < whole.slots.size(); ++slot)
        if ((fragment = whole.slots[slot].position(bug.id)) >= 0) return static_cast<int>(slot);
    return -1;
}

/// Whether the two cannot be answers of one program.
bool differ(const Truths& a, const Truths& b) {
    for (std::size_t t = 0; t < a.size(); ++t)
        for (std::size_t i = 0; i < a[t].value.size(); ++i)
            if (assay::differ(a[t].value[i], b[t].value[i], a[t].bound[i] + b[t].bound[i])) return true;
    return false;
}

/// The cases that tell one of these bugs from right code, then the others: most subsets part at once.
std::vector<const HuntCase*> probes_first(const Hunt& hunt, const Planted& planted,
                                          const std::vector<HuntCase>& cases) {
    std::vector<const HuntCase*> ordered;
    for (const HuntCase& one : cases) ordered.push_back(&one);
    std::stable_partition(ordered.begin(), ordered.end(), [&](const HuntCase* one) {
        return std::any_of(planted.bugs.begin(), planted.bugs.end(), [&](int bug) {
            const std::vector<std::string>& probes = hunt.bugs[static_cast<std::size_t>(bug)].probes;
            return std::find(probes.begin(), probes.end(), one->one->id) != probes.end();
        });
    });
    return ordered;
}

std::vector<int> shuffled(std::size_t count, Random& random) {
    std::vector<int> order(count);
    for (std::size_t i = 0; i < count; ++i) {
        const auto other = static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(i)));
        order[i] = order[other];
        order[other] = static_cast<int>(i);
    }
    return order;
}

} // namespace

std::vector<HuntCase> cases_of(const Hunt& hunt, const Exercise& exercise, std::uint64_t seed) {
    std::vector<HuntCase> cases;
    for (const Level& level : exercise.levels)
        if (std::find(hunt.levels.begin(), hunt.levels.end(), level.id) != hunt.levels.end())
            for (const Case& one : level.cases) cases.push_back({&level, &one, one.make(seed)});
    return cases;
}

std::vector<int> with_bugs(const Hunt& hunt, const Template& whole, const Planted& planted, unsigned subset) {
    std::vector<int> choices = planted.choices;
    for (std::size_t i = 0; i < planted.bugs.size(); ++i) {
        int fragment = 0;
        const int slot = slot_of(whole, hunt.bugs[static_cast<std::size_t>(planted.bugs[i])], fragment);
        choices[static_cast<std::size_t>(slot)] = (subset >> i & 1u) != 0 ? fragment : 0;
    }
    return choices;
}

bool are_told_apart(const Hunt& hunt, const Template& whole, const Planted& planted,
                    const std::vector<HuntCase>& cases) {
    const std::vector<const HuntCase*> ordered = probes_first(hunt, planted, cases);
    const std::size_t subsets = std::size_t{1} << planted.bugs.size();
    // Pairs that no case so far has told apart; most fall at the first case.
    std::vector<std::pair<std::size_t, std::size_t>> alike;
    for (std::size_t a = 0; a < subsets; ++a)
        for (std::size_t b = a + 1; b < subsets; ++b) alike.emplace_back(a, b);
    for (const HuntCase* one : ordered) {
        std::vector<Truths> answers(subsets);
        std::vector<char> asked(subsets, 0);
        const auto answer = [&](std::size_t subset) -> const Truths& {
            if (asked[subset] == 0)
                answers[subset] =
                    run_choices(hunt, with_bugs(hunt, whole, planted, static_cast<unsigned>(subset)), one->problem);
            asked[subset] = 1;
            return answers[subset];
        };
        std::erase_if(alike, [&](const auto& pair) { return differ(answer(pair.first), answer(pair.second)); });
        if (alike.empty()) return true;
    }
    return false;
}

Planted plant(const Hunt& hunt, const Exercise& exercise, const Template& whole, int count, std::uint64_t seed) {
    Random random(seed, "hunt/" + hunt.id);
    Planted planted;
    planted.choices.assign(whole.slots.size(), 0);
    const std::vector<int> order = shuffled(hunt.bugs.size(), random);
    const std::vector<HuntCase> cases = cases_of(hunt, exercise, 0);
    std::vector<char> taken(whole.slots.size(), 0);
    for (const int candidate : order) {
        if (static_cast<int>(planted.bugs.size()) == std::min(count, most_bugs)) break;
        int fragment = 0;
        const int slot = slot_of(whole, hunt.bugs[static_cast<std::size_t>(candidate)], fragment);
        if (slot < 0 || taken[static_cast<std::size_t>(slot)] != 0) continue;
        Planted tried = planted;
        tried.bugs.push_back(candidate);
        tried.choices[static_cast<std::size_t>(slot)] = fragment;
        if (!are_told_apart(hunt, whole, tried, cases)) continue;
        taken[static_cast<std::size_t>(slot)] = 1;
        planted = std::move(tried);
    }
    std::sort(planted.bugs.begin(), planted.bugs.end());
    for (std::size_t slot = 0; slot < whole.slots.size(); ++slot) {
        std::vector<int> right;
        const std::vector<Fragment>& fragments = whole.slots[slot].fragments;
        for (std::size_t i = 0; i < fragments.size(); ++i)
            if (fragments[i].is_right()) right.push_back(static_cast<int>(i));
        const auto drawn = static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(right.size()) - 1));
        if (taken[slot] == 0) planted.choices[slot] = right[drawn];
    }
    return planted;
}

} // namespace assay
