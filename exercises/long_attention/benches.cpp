// What is measured as sequences grow, and the timed level that hangs on it.
#include "growth.hpp"

namespace assay::long_attention_judge {

namespace {

std::string shown_by(const std::string& route) {
    if (route == "linear_attention") return "every query meets every key: the running sums are not used";
    return "every pair of tokens is computed or held: the window is not used";
}

} // namespace

std::vector<Growth> growths() {
    std::vector<Growth> all;
    for (const char* route : growth_routes) {
        Growth growth;
        growth.id = route;
        growth.dimension = "L";
        growth.beside = growth.id == "linear_attention" ? "D = 2" : "D = 2, a window of 4";
        growth.lengths.assign(growth_lengths.begin(), growth_lengths.end());
        growth.at_once = growth.lengths.size(); // milliseconds each, for what grows with L
        growth.make = [id = growth.id](std::int64_t length, std::uint64_t seed) {
            return growth_problem(id, length, seed);
        };
        growth.matrix = "a matrix of all scores";
        growth.matrix_bytes = [](std::int64_t length) {
            return 4.0 * static_cast<double>(length) * static_cast<double>(length);
        };
        growth.timed = true;
        growth.otherwise = shown_by(route);
        all.push_back(std::move(growth));
    }
    return all;
}

std::vector<SpeedLevel> speed_levels() {
    SpeedLevel level;
    level.id = "growth";
    level.title = "Time grows as L";
    level.thresholds = {1.2}; // between L^1 with what small tensors cost beside, and L^1.5
    level.growths.assign(growth_routes.begin(), growth_routes.end());
    return {level};
}

} // namespace assay::long_attention_judge
