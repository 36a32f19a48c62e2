#include "core/exercise.hpp"

namespace assay {

void set_calculator(Exercise& exercise, std::function<Truths(const Problem&, const Slips&)> oracle) {
    exercise.oracle = [oracle](const Problem& problem, std::string_view mistake, int form) -> std::optional<Truths> {
        return oracle(problem, mistake.empty() ? Slips() : Slips{{std::string(mistake), form}});
    };
    exercise.combined = [oracle = std::move(oracle)](const Problem& problem, const Slips& on) -> std::optional<Truths> {
        return oracle(problem, on);
    };
}

} // namespace assay
