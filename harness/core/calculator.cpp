#include "core/exercise.hpp"

namespace assay {

void set_calculator(Exercise& exercise, std::function<std::optional<Truths>(const Problem&, const Slips&)> oracle) {
    exercise.oracle = [oracle](const Problem& problem, std::string_view mistake, int form) -> std::optional<Truths> {
        return oracle(problem, mistake.empty() ? Slips() : Slips{{std::string(mistake), form}});
    };
    exercise.combined = std::move(oracle);
}

} // namespace assay
