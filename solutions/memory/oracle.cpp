// Which route is answered by what, and what all routes share.
#include "oracle.hpp"

#include <algorithm>
#include <assay/unset.hpp>
#include <cmath>
#include <stdexcept>

namespace assay::memory_judge {

namespace {

struct Route {
    const char* name;
    Truths (*answer)(const Problem&, const Slips&);
    std::vector<const char*> fields;
};

const std::vector<Route>& routes() {
    static const std::vector<Route> all{
        {"forward", forward, {"m", "k", "n", "bits"}},
        {"backward", backward, {"m", "k", "n", "bits", "policy", "dx_first"}},
        {"training_state", training_state, {"parameters", "gpus", "stage", "fp32_gradients"}},
        {"parameters",
         parameters,
         {"layers", "d_model", "heads", "kv_heads", "head_dim", "hidden", "vocab", "positions", "norms", "gated",
          "tied", "final_norm", "norm_bias", "qk_norm", "qkv_bias", "dense_bias", "bits"}},
        {"kv_cache", kv_cache, {"layers", "d_model", "heads", "kv_heads", "head_dim", "batch", "tokens", "bits"}},
        {"activations", activations, {"layers", "batch", "sequence", "d_model", "heads", "dropout", "recomputed"}},
        {"split_matmul", split_matmul, {"m", "k", "n", "bits", "by", "gpus"}},
        {"first_stage",
         first_stage,
         {"layers", "d_model", "heads", "sequence", "micro_batch", "micro_batches", "tensor", "pipeline", "chunks",
          "sequence_parallel", "dropout", "fp32_gradients", "recomputed"}},
        {"least_gpus", least_gpus, {"layers", "d_model", "hidden", "bytes_per_parameter", "node", "memory_gib"}},
    };
    return all;
}

const Route* route_of(const Problem& problem) {
    for (const Route& route : routes())
        if (problem.route == route.name) return &route;
    return nullptr;
}

/// Whether careful float64 arithmetic gets a quotient on the right side of a whole number: it is some roundings away
/// from it, or the quotient of whole numbers below 2^53, which is exact where it is whole.
bool is_decided(double above, double below) {
    const double ratio = above / below;
    if (!(ratio >= 0.5 && ratio < 0x1p53)) return true; // never rounded to 0, or rounded whatever one does
    const double away = std::fabs(ratio - std::nearbyint(ratio));
    return away > 1e-13 * std::max(1.0, ratio) || (above < 0x1p53 && below < 0x1p53 && std::fmod(above, below) == 0);
}

bool enum_in_range(const Problem& problem, const char* name, std::int64_t values) {
    return !problem.has(name) || (problem.integer(name) >= 0 && problem.integer(name) < values);
}

} // namespace

Truths oracle(const Problem& problem, const Slips& on) {
    const Route* route = route_of(problem);
    if (route == nullptr) throw std::logic_error("memory has no route '" + problem.route + "'");
    return route->answer(problem, on);
}

bool valid(const Problem& problem) {
    const Route* route = route_of(problem);
    if (route == nullptr) return false;
    for (const char* field : route->fields)
        if (!problem.has(field)) return false;
    if (!enum_in_range(problem, "policy", 3) || !enum_in_range(problem, "stage", 4) ||
        !enum_in_range(problem, "recomputed", 3) || !enum_in_range(problem, "by", 3))
        return false;
    if (problem.route != std::string("least_gpus")) return true;
    const double matrix = count(problem, "d_model") * count(problem, "hidden") * count(problem, "bytes_per_parameter");
    const double total = matrix * count(problem, "layers"), room = problem.number_or("memory_gib", 0) * gib;
    if (!all_at_least(problem, 1, {"layers", "d_model", "hidden", "bytes_per_parameter"}) ||
        !(room > 0 && std::isfinite(room)))
        return true; // out of range: nothing hangs on a quotient
    // Up to 1e12 layers, layers / (matrices to a GPU) and GPUs are exact where they are whole.
    bool decided = is_decided(total, room) && problem.integer("layers") <= 1000000000000;
    const std::int64_t node = std::min<std::int64_t>(problem.integer("node"), 1024);
    for (std::int64_t t = 1; t <= node && decided; ++t) {
        const double together = room * static_cast<double>(t);
        decided = is_decided(together, matrix) && is_decided(together, total);
    }
    return decided;
}

bool all_at_least(const Problem& problem, std::int64_t least, std::initializer_list<const char*> names) {
    return std::all_of(names.begin(), names.end(), [&](const char* name) { return problem.integer(name) >= least; });
}

double bytes_of(std::int64_t bits, const Slips& on) {
    double bytes = static_cast<double>(bits) / 8;
    if (on("element-size-assumed")) bytes = on("element-size-assumed", 0) ? 2 : 4;
    if (on("bytes-truncated")) bytes = std::trunc(bytes);
    return on("bits-for-bytes") ? 8 * bytes : bytes;
}

double elements(std::int64_t rows, std::int64_t columns, const Slips& on) {
    const std::uint64_t wrapped = static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(columns);
    if (on("product-wraps", 0))
        return static_cast<double>(static_cast<std::int32_t>(static_cast<std::uint32_t>(wrapped)));
    if (on("product-wraps", 1)) return static_cast<double>(static_cast<std::int64_t>(wrapped));
    return static_cast<double>(rows) * static_cast<double>(columns);
}

double in_gib(double bytes, const Slips& on) { return on("gb-for-gib") ? bytes / 1e9 : bytes / gib; }

double how_many_fit(double room, double part, const Slips& on) {
    return on("exact-fit-refused") ? std::ceil(room / part) - 1 : std::floor(room / part);
}

Truths answered(Items items, bool in_domain, const Slips& on) {
    Truths truths = items.take();
    if (in_domain || on("unchecked")) return truths;
    for (Truth& truth : truths) {
        truth.value = {unset};
        truth.bound = {0};
    }
    return truths;
}

} // namespace assay::memory_judge
