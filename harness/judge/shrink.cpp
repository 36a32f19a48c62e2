// The order of the steps: cheap ones first, then again with more patience.
#include "judge/shrink.hpp"

#include "judge/shrinker.hpp"

namespace assay {

namespace {

bool keep_suspects(Shrinker& shrinker, const Suspects& suspects) {
    const auto& dimensions = shrinker.plan().dimensions;
    for (std::size_t at = 0; at < dimensions.size(); ++at)
        if (dimensions[at].name == suspects.dimension) return shrinker.keep({{at, suspects.indices}});
    return false;
}

} // namespace

Shrunk shrink(const CaseSpec& start, const Problem& problem, const std::function<bool(const Problem&)>& valid,
              const std::function<bool(const Problem&)>& still_fails, const ShrinkLimits& limits,
              const std::vector<Suspects>& suspects) {
    Shrinker shrinker(problem, valid, still_fails, limits);
    for (const Suspects& one : suspects)
        if (keep_suspects(shrinker, one)) break;
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
