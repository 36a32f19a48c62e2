// Wrong: any number of GPUs may share a matrix.
// Level: least-gpus
#include "contract.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>

namespace memory {

namespace {

constexpr double gib = 1 << 30;

bool all_at_least(std::int64_t least, std::initializer_list<std::int64_t> counts) {
    return std::all_of(counts.begin(), counts.end(), [&](std::int64_t count) { return count >= least; });
}

/// Bytes of a (rows, columns) matrix.
double bytes(std::int64_t rows, std::int64_t columns, std::int64_t bits) {
    return static_cast<double>(rows) * static_cast<double>(columns) * static_cast<double>(bits) / 8;
}

} // namespace

fit least_gpus(demand need) {
    if (!all_at_least(1, {need.layers, need.d_model, need.hidden, need.bytes_per_parameter, need.node}) ||
        need.node > 1024 || !(need.memory_gib > 0) || !std::isfinite(need.memory_gib))
        return {};
    const double room = need.memory_gib * gib;
    const auto layers = static_cast<double>(need.layers);
    const double never = std::numeric_limits<double>::infinity();
    const auto stages_for = [&](double part) {
        const double each = std::floor(room / part);
        return each >= 1 ? std::ceil(layers / each) : never;
    };
    fit r;
    r.matrix = bytes(need.d_model, need.hidden, 8) * static_cast<double>(need.bytes_per_parameter);
    r.total = layers * r.matrix;
    r.least = std::ceil(r.total / room);
    r.stages = stages_for(r.matrix);
    r.ranks = r.tensor = r.gpus = never;
    for (std::int64_t t = 1; t <= need.node; ++t) {
        const auto ranks = static_cast<double>(t);
        if (r.ranks == never && r.total / ranks <= room) r.ranks = ranks;
        const double gpus = ranks * stages_for(r.matrix / ranks);
        if (gpus < r.gpus) {
            r.gpus = gpus;
            r.tensor = ranks;
        }
    }
    return r;
}

} // namespace memory
