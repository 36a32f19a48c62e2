#include "oracle_model.hpp"

#include <algorithm>

namespace assay::roofline_judge {

namespace {

constexpr double tebi = 1024.0 * 1024 * 1024 * 1024, gibi = 1024.0 * 1024 * 1024;

/// Passes over a (T, d) and a (T, f/n) tensor that reach memory.
struct Passes {
    std::int64_t edge, hidden;
};

Passes passes_of(const Inputs& in, const Slips& on) {
    const bool gate = in.gated && !on("gate-traffic-forgotten");
    if (in.fused && !on("fusion-ignored")) return {2, 0};
    Passes passes{gate ? 3 : 2, gate ? 4 : 2};
    if (on("hidden-once")) passes.hidden /= 2;
    if (on("hidden-forgotten")) passes.hidden = 0;
    return passes;
}

} // namespace

double product(std::initializer_list<std::int64_t> factors, const Slips& on) {
    double exact = 1;
    std::uint64_t wrapped = 1;
    for (const std::int64_t factor : factors) {
        exact *= static_cast<double>(factor);
        wrapped *= static_cast<std::uint64_t>(factor);
    }
    if (on("integer-overflow", 0)) return static_cast<double>(static_cast<std::int64_t>(wrapped));
    if (on("integer-overflow", 1)) return static_cast<double>(static_cast<std::int32_t>(wrapped));
    return exact;
}

double peak_flops(const Inputs& in, const Slips& on) {
    if (on("another-chips-peak")) return on("another-chips-peak", 0) ? 989e12 : 312e12;
    return (on("sparse-peak") ? in.sparse_tflops : in.dense_tflops) * 1e12;
}

double hbm_bw(const Inputs& in, const Slips& on) { return in.memory_tb * (on("tb-as-tib", 0) ? tebi : 1e12); }

double link_bw(const Inputs& in, const Slips& on) {
    return in.link_gb * (on("tb-as-tib", 1) ? gibi : 1e9) / (on("bidirectional-link") ? 1 : 2) /
           (on("bits-for-bytes", 0) ? 8 : 1);
}

double network_bw(const Inputs& in, const Slips& on) {
    return in.network_gbit * 1e9 / (on("bits-for-bytes", 1) ? 1 : 8) / (on("network-halved") ? 2 : 1);
}

std::int64_t element_bytes(std::int64_t given, const Slips& on) {
    if (on("fp32-bytes")) return 4;
    return on("bytes-ignored", 0) ? 2 : given;
}

double reduced_row(const Inputs& in, const Slips& on) {
    return static_cast<double>(on("hidden-reduced") ? in.hidden : in.d_model) * (on("two-all-reduces") ? 2 : 1);
}

double activation_row(const Inputs& in, const Slips& on) {
    const double hidden =
        static_cast<double>(in.hidden) / (on("hidden-sharded-early") ? static_cast<double>(in.gpus) : 1);
    return static_cast<double>(2 * in.d_model) + (on("hidden-forgotten") ? 0 : hidden);
}

double ring_share(double n, const Slips& on) {
    double share = 2 * (n - 1) / n;
    if (on("all-reduce-twice")) share = 2;
    if (on("all-reduce-one-pass")) share = (n - 1) / n;
    if (on("integer-division")) share = n == 1 ? 0 : 1;
    if (on("all-reduce-once")) share = 1;
    return on("all-reduce-divided-by-n") ? share / n : share;
}

std::int64_t longest(double compute, double memory, double network, const Slips& on) {
    if (on("tie-to-the-later")) {
        if (network >= compute && network >= memory) return 2;
        return memory >= compute ? 1 : 0;
    }
    if (compute >= memory && compute >= network) return 0;
    return memory >= network ? 1 : 2;
}

std::int64_t per_multiply_add(const Slips& on) { return on("mac-as-one") ? 1 : 2; }
std::int64_t matmuls(const Slips& on) { return on("matmul-forgotten", 0) || on("matmul-forgotten-in-flops") ? 1 : 2; }
std::int64_t matrices(const Slips& on) { return on("matmul-forgotten") ? 1 : 2; }

Terms terms_of(const Inputs& in, const Slips& on, const Boost& boost) {
    const auto n = static_cast<double>(in.gpus);
    const std::int64_t b = element_bytes(in.bytes_per_element, on);
    const std::int64_t gate = in.gated && !on("gate-forgotten") ? 1 : 0;
    const Passes passes = passes_of(in, on);
    Terms t;
    t.flops = product({per_multiply_add(on), matmuls(on) + gate, in.tokens, in.d_model, in.hidden}, on);
    t.weight_bytes = product({matrices(on) + gate, in.d_model, in.hidden, b}, on) / (on("weights-not-divided") ? 1 : n);
    t.edge_bytes = product({passes.edge, in.tokens, in.d_model, b}, on) / (on("activations-divided") ? n : 1);
    t.hidden_bytes = product({passes.hidden, in.tokens, in.hidden, b}, on) / (on("hidden-not-sharded") ? 1 : n);
    t.network_bytes = ring_share(n, on) * static_cast<double>(in.tokens) * reduced_row(in, on) * static_cast<double>(b);

    const std::int64_t counted = boost.keep_link ? in.gpus / 2 : in.gpus;
    const bool beyond =
        !on("always-nvlink") && (on("node-off-by-one") ? counted >= in.gpus_per_node : counted > in.gpus_per_node);
    t.ring_bw = (beyond ? network_bw(in, on) : link_bw(in, on)) * boost.link;
    const double latency = beyond && !on("latency-of-nvlink") ? in.network_latency : in.link_latency;
    t.steps = on("latency-one-pass") ? n - 1 : 2 * (n - 1);
    double waits = t.steps;
    if (on("latency-once")) waits = in.gpus > 1 ? 1 : 0;
    if (on("latency-forgotten")) waits = 0;

    t.t_compute = t.flops / (on("compute-not-divided") ? 1 : n) / (peak_flops(in, on) * boost.peak);
    const double bw = hbm_bw(in, on) * boost.memory;
    t.t_weights = t.weight_bytes / bw;
    t.t_activations = on("activations-forgotten") ? 0 : (t.edge_bytes + t.hidden_bytes) / bw;
    t.t_transfer = t.network_bytes / t.ring_bw;
    t.t_latency = latency * waits / boost.latency;
    t.t_memory = t.t_weights + t.t_activations;
    t.t_network = t.t_transfer + t.t_latency;
    t.time = std::max(t.t_compute, t.t_memory) + t.t_network;
    if (on("all-reduce-overlapped")) t.time = std::max({t.t_compute, t.t_memory, t.t_network});
    if (on("sum-for-max")) t.time = t.t_compute + t.t_memory + t.t_network;
    t.binds = longest(t.t_compute, t.t_memory, t.t_network, on);
    return t;
}

} // namespace assay::roofline_judge
