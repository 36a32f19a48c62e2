// The order of the steps: cheap ones first, then again with more patience.
#include "judge/shrink.hpp"

#include "judge/shrinker.hpp"

namespace assay {

Shrunk shrink(const CaseSpec& start, const Problem& problem, const std::function<bool(const Problem&)>& valid,
              const std::function<bool(const Problem&)>& still_fails, const ShrinkLimits& limits) {
    Shrinker shrinker(problem, valid, still_fails, limits);
    int patience = 8; // a dimension that must stay long must not use up the calls that values need
    for (bool changed = true; changed && !shrinker.over(); patience *= 4) {
        bool impatient = false;
        changed = shrink_shapes(shrinker, patience, impatient);
        changed = simplify_layouts(shrinker) || changed;
        changed = simplify_absences(shrinker) || changed;
        changed = simplify_values(shrinker) || changed;
        changed = changed || impatient;
    }
    Shrunk shrunk{shrinker.problem(), start, shrinker.calls()};
    for (CaseSpec::Step& step : shrinker.plan().steps()) shrunk.spec.steps.push_back(std::move(step));
    return shrunk;
}

} // namespace assay
