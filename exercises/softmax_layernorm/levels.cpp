// The levels of `softmax_layernorm`: what is asked in which order, and by whom it is judged.
#include "cases.hpp"
#include "contract.hpp"
#include "core/level.hpp"
#include "core/registry.hpp"
#include "oracle.hpp"
#include "wire/signature.hpp"

namespace assay {

ASSAY_EXERCISE(softmax_layernorm) {
    using namespace softmax_layernorm_judge;
    Exercise exercise;
    exercise.id = "softmax_layernorm";
    exercise.signatures = ASSAY_SIGNATURES();
    auto& levels = exercise.levels;
    levels.push_back(make_level("softmax", "Softmax over an axis", {"softmax"}, softmax_cases()));
    levels.push_back(make_level("softmax-range", "Slices far from 0", {"softmax"}, softmax_range_cases()));
    levels.push_back(make_level("log-softmax", "Log-softmax", {"log_softmax"}, log_softmax_cases()));
    levels.push_back(make_level("layernorm", "Layernorm: variance, eps, affine", {"layernorm"}, layernorm_cases()));
    levels.push_back(
        make_level("layernorm-precision", "A mean far above the spread", {"layernorm"}, layernorm_precision_cases()));
    levels.push_back(
        make_level("softmax-backward", "Backward through softmax", {"softmax_backward"}, softmax_backward_cases()));
    levels.push_back(make_level("layernorm-backward", "Backward through layernorm", {"layernorm_backward"},
                                layernorm_backward_cases()));
    levels.push_back(make_level("views", "Views, extents of 1, empty tensors",
                                {"softmax", "log_softmax", "softmax_backward", "layernorm", "layernorm_backward"},
                                view_cases()));
    exercise.mistakes = mistakes();
    exercise.oracle = oracle;
    exercise.plain = plain;
    exercise.valid = valid;
    exercise.random = random_problem;
    exercise.level_of = [](const Problem&) { return std::string("views"); };
    return exercise;
}

} // namespace assay
