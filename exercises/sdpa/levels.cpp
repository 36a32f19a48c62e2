// The levels of `sdpa`: what is asked in which order, and by whom it is judged.
#include "cases.hpp"
#include "contract.hpp"
#include "core/level.hpp"
#include "core/registry.hpp"
#include "oracle.hpp"
#include "wire/signature.hpp"

namespace assay {

namespace {

std::string level_of(const Problem& problem) {
    if (problem.route == "stream") return "streaming";
    if (problem.route == "attention_backward") return "gradients";
    if (problem.route == "attention_biased") return "alibi";
    return problem.route == "attention" ? "heads-and-views" : "half-storage";
}

} // namespace

ASSAY_EXERCISE(sdpa) {
    using namespace sdpa_judge;
    Exercise exercise;
    exercise.id = "sdpa";
    exercise.signatures = ASSAY_SIGNATURES();
    auto& levels = exercise.levels;
    levels.push_back(make_level("formula", "Shapes and the formula", {"attention"}, formula_cases()));
    levels.push_back(make_level("stability", "Logits beyond the range of exp", {"attention"}, stability_cases()));
    levels.push_back(make_level("masks", "Masks", {"attention"}, mask_cases()));
    levels.push_back(make_level("empty-rows", "Rows with nothing to attend", {"attention"}, empty_row_cases()));
    levels.push_back(make_level("heads-and-views", "Grouped heads, widths and views", {"attention"}, view_cases()));
    levels.push_back(make_level("half-storage", "16-bit storage",
                                {"attention_f16", "attention_bf16", "attention_f16_stored", "attention_bf16_stored"},
                                half_cases()));
    levels.push_back(make_level("streaming", "Streaming: blocks and merges", {"begin", "absorb", "merge", "finish"},
                                streaming_cases()));
    levels.back().script = stream;
    levels.push_back(make_level("gradients", "Gradients", {"attention_backward"}, gradient_cases()));
    levels.push_back(make_level("hygiene", "NaN and infinity behind the mask", {"attention"}, hygiene_cases()));
    levels.back().must = false;
    levels.push_back(make_level("alibi", "ALiBi and a sliding window", {"attention_biased"}, alibi_cases()));
    levels.back().must = false;
    exercise.mistakes = mistakes();
    exercise.oracle = oracle;
    exercise.plain = plain;
    exercise.valid = valid;
    exercise.random = random_problem;
    exercise.level_of = level_of;
    exercise.benches = benches();
    exercise.growths = growths();
    exercise.speed = speed_levels();
    return exercise;
}

} // namespace assay
