// A bug hunt: bugs that can be planted in one readable implementation of an exercise, and the model that runs any of
// them in process. Registered by solutions/<exercise>/hunt.cpp; fragments lie in solutions/<exercise>/hunt/.
#ifndef ASSAY_HUNT_HUNT_HPP
#define ASSAY_HUNT_HUNT_HPP

#include "core/problem.hpp"
#include "hunt/fragments.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct Bug {
    std::string id; // name of its fragment, which lies in the slot's folder: "ratio-from-reference"
    std::string
        sentence; // told after success, completes "It had ...": "the ratio built from the reference's log-probs"
    std::vector<std::string> probes; // ids of cases that tell it from right code, one at least
};

struct Hunt {
    std::string id;                               // "grpo"
    std::string exercise;                         // "grpo_hunt": whose contract and levels it has
    std::string title;                            // "GRPO, from logits to the loss"
    std::vector<std::string> levels;              // ids of the levels that the implementation answers
    std::vector<Bug> bugs;                        // in the order in which they are told
    void (*choose)(const int* choices) = nullptr; // the generated hunted::choose_<exercise>
    /// What the chosen program answers, with bounds within which an attempt counts as behaving like it: rounding of
    /// any way to write the same. The outputs are those that the level's truths have.
    std::function<Truths(const Problem&)> run;
};

using HuntFactory = Hunt (*)();

/// Called by a static object. Returns true.
bool enter_hunt(std::string_view id, HuntFactory factory);
/// In alphabetical order.
std::vector<std::string_view> hunt_ids();
/// Built on first use; null where there is none of this id.
const Hunt* find_hunt(std::string_view id);

/// The hunt's implementation in a language ("cpp", "python"), from the texts compiled in. A failure where the hunt is
/// not written in that language (verdict SKIP) or its files are at fault.
Outcome<Template> template_of(const Hunt& hunt, std::string_view language);

/// What the program with these choices answers.
Truths run_choices(const Hunt& hunt, const std::vector<int>& choices, const Problem& problem);

} // namespace assay

/// ASSAY_HUNT(grpo) { Hunt hunt; ...; return hunt; }
#define ASSAY_HUNT(name)                                                                                               \
    static ::assay::Hunt assay_make_hunt_##name();                                                                     \
    [[maybe_unused]] static const bool assay_entered_hunt_##name =                                                     \
        ::assay::enter_hunt(#name, &assay_make_hunt_##name);                                                           \
    static ::assay::Hunt assay_make_hunt_##name()

#endif
