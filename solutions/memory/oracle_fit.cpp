// The least GPUs that hold a stack of equal matrices, by pipeline, by tensor parallel, and by both.
#include "oracle.hpp"

#include <cmath>
#include <limits>

namespace assay::memory_judge {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();
/// Every GPU count above this is searched in vain, whatever the mistake: node is 1024 at most.
constexpr std::int64_t most_ranks = 1024;

double whole_gpus(double ratio, const Slips& on) {
    return on("gpus-rounded-down") ? std::floor(ratio) : std::ceil(ratio);
}

/// Stages that hold `layers` parts of this size, each part whole on one GPU.
double stages_for(double layers, double part, double room, const Slips& on) {
    const double each = how_many_fit(room, part, on);
    return each >= 1 ? whole_gpus(layers / each, on) : never;
}

} // namespace

Truths least_gpus(const Problem& problem, const Slips& on) {
    const double layers = count(problem, "layers"), hidden = count(problem, "hidden");
    const double memory = problem.number_or("memory_gib", 0), room = memory * (on("gb-for-gib") ? 1e9 : gib);
    const double matrix = count(problem, "d_model") * hidden * count(problem, "bytes_per_parameter");
    const double total = matrix * (on("layers-forgotten") ? 1 : layers);
    const double least = on("exact-fit-refused") ? std::floor(total / room) + 1 : whole_gpus(total / room, on);

    const bool splits = on("pipeline-splits-matmul");
    const double stages = splits ? least : stages_for(layers, matrix, room, on);
    double ranks = never, tensor = never, gpus = never;
    const std::int64_t node = on("node-ignored") ? most_ranks : std::min(problem.integer("node"), most_ranks);
    for (std::int64_t t = 1; t <= node; ++t) {
        const auto share = static_cast<double>(t);
        if (std::fmod(hidden, share) != 0 && !on("any-ranks")) continue;
        const double parts = splits ? std::ceil(total / share / room) : stages_for(layers, matrix / share, room, on);
        if (ranks == never && how_many_fit(room, total / share, on) >= 1) ranks = share;
        if (share * parts < gpus) {
            gpus = share * parts;
            tensor = share;
        }
    }
    const bool in_domain = all_at_least(problem, 1, {"layers", "d_model", "hidden", "bytes_per_parameter", "node"}) &&
                           problem.integer("node") <= most_ranks && memory > 0 && std::isfinite(memory);
    return answered(Items()
                        .number("matrix", matrix, "B")
                        .number("total", total, "B")
                        .number("least", least, "GPUs")
                        .number("stages", stages, "GPUs")
                        .number("ranks", ranks, "GPUs")
                        .number("tensor", tensor, "GPUs")
                        .number("gpus", gpus, "GPUs"),
                    in_domain, on);
}

} // namespace assay::memory_judge
