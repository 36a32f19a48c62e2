// The problem being shrunk: what was done to it so far, and the one way to go on.
#ifndef ASSAY_JUDGE_SHRINKER_HPP
#define ASSAY_JUDGE_SHRINKER_HPP

#include "judge/plan.hpp"
#include "judge/shrink.hpp"

#include <set>
#include <string>
#include <vector>

namespace assay {

using Predicate = std::function<bool(const Problem&)>;

class Shrinker {
  public:
    /// Everything given must outlive it.
    Shrinker(const Problem& problem, const Predicate& valid, const Predicate& still_fails, const ShrinkLimits& limits);

    const Problem& problem() const { return current_; }
    const Plan& plan() const { return plan_; }
    int calls() const { return calls_; }
    bool over() const;

    /// Goes over to `plan` where its problem is another one, valid, and fails as well. No plan is tried twice.
    bool take(Plan plan);

    /// take() with fewer indices of some dimensions (positions in plan().dimensions). `indices` are of the problem it
    /// began from.
    struct Kept {
        std::size_t dimension;
        std::vector<std::int64_t> indices;
    };
    bool keep(const std::vector<Kept>& kept);
    /// take() with other values of a field: one for all elements, or one an element.
    bool set(std::size_t field, std::vector<double> values);
    /// take() with a field "int" or "none".
    bool change(std::size_t field, const char* to);

  private:
    const Problem& whole_;
    const Predicate& valid_;
    const Predicate& still_fails_;
    const ShrinkLimits limits_;
    const std::chrono::steady_clock::time_point deadline_;
    Plan plan_;
    Problem current_;
    std::set<std::string> tried_;
    int calls_ = 0;
    std::int64_t cost_ = 0;
};

/// Fewer indices of each dimension, largest first. `patience`: refusals in a row that a dimension may cost once halving
/// has done its work; `impatient` is set where that ended the search. True where something shrank.
bool shrink_shapes(Shrinker& shrinker, int patience, bool& impatient);

/// Row-major strides; absent fields and false flags; simpler values. True where something became simpler.
bool simplify_layouts(Shrinker& shrinker);
bool simplify_absences(Shrinker& shrinker);
bool simplify_values(Shrinker& shrinker);

} // namespace assay

#endif
