#include "oracle_inputs.hpp"

#include <cmath>

namespace assay::roofline_judge {

namespace {

bool is_rate(double x) { return std::isfinite(x) && x > 0; }
bool is_latency(double x) { return std::isfinite(x) && x >= 0; }

std::int64_t integer_or(const Problem& problem, std::string_view name, std::int64_t other) {
    return problem.has(name) ? problem.integer(name) : other;
}

bool flag_or_false(const Problem& problem, std::string_view name) { return problem.has(name) && problem.flag(name); }

} // namespace

Inputs inputs_of(const Problem& problem) {
    Inputs in;
    in.tokens = problem.integer("tokens");
    in.d_model = problem.integer("d_model");
    in.hidden = problem.integer("hidden");
    in.gpus = problem.integer("gpus");
    in.dense_tflops = problem.number_or("dense_tflops", 0);
    in.sparse_tflops = problem.number_or("sparse_tflops", 0);
    in.memory_tb = problem.number_or("memory_tb", 0);
    in.link_gb = problem.number_or("link_gb", 0);
    in.gpus_per_node = integer_or(problem, "gpus_per_node", 1);
    in.network_gbit = problem.number_or("network_gbit", 1);
    in.link_latency = problem.number_or("link_latency", 0);
    in.network_latency = problem.number_or("network_latency", 0);
    in.bytes_per_element = integer_or(problem, "bytes_per_element", 2);
    in.gated = flag_or_false(problem, "gated");
    in.fused = flag_or_false(problem, "fused");
    in.share = problem.number_or("share", 0.5);
    return in;
}

bool in_domain(const Problem& problem, const Slips& on) {
    const Inputs in = inputs_of(problem);
    if (on("zero-tokens-refused") && in.tokens == 0) return false;
    if (on("invalid-computed")) return true;
    const bool counts = in.tokens >= 0 && in.d_model >= 1 && in.hidden >= 1 && in.gpus >= 1 && in.gpus_per_node >= 1 &&
                        in.bytes_per_element >= 1;
    const bool rates = is_rate(in.dense_tflops) && is_rate(in.sparse_tflops) && is_rate(in.memory_tb) &&
                       is_rate(in.link_gb) && is_rate(in.network_gbit);
    const bool rest = is_latency(in.link_latency) && is_latency(in.network_latency) && in.share > 0 && in.share < 1;
    return counts && rates && rest && (problem.route != "reduce" || in.gpus <= in.gpus_per_node);
}

} // namespace assay::roofline_judge
