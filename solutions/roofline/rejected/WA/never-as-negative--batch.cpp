// Wrong: no look at the sign of the denominators.
// Level: inverse
#include "contract.hpp"

namespace roofline {

namespace {

double max(double a, double b) { return a > b ? a : b; }
bool is_rate(double x) { return x > 0 && x < __builtin_inf(); }
bool is_latency(double x) { return x >= 0 && x < __builtin_inf(); }
bool is_valid(const ffn& l, const chip& c, const fabric& w, const design& k) {
    return l.tokens >= 0 && l.d_model >= 1 && l.hidden >= 1 && l.gpus >= 1 && is_rate(c.dense_tflops) &&
           is_rate(c.sparse_tflops) && is_rate(c.memory_tb) && is_rate(c.link_gb) && w.gpus_per_node >= 1 &&
           is_rate(w.network_gbit) && is_latency(w.link_latency) && is_latency(w.network_latency) &&
           k.bytes_per_element >= 1;
}

refined model(ffn layer, chip gpu, fabric wires, design kind) {
    const double T = double(layer.tokens), d = double(layer.d_model), f = double(layer.hidden), n = double(layer.gpus);
    const double b = double(kind.bytes_per_element), matrices = kind.gated ? 3 : 2;
    const double edges = kind.fused || !kind.gated ? 2 : 3, hiddens = kind.fused ? 0 : kind.gated ? 4 : 2;
    const bool beyond = layer.gpus > wires.gpus_per_node;
    const double latency = beyond ? wires.network_latency : wires.link_latency;
    refined r;
    r.flops = matrices * 2 * T * d * f;
    r.weight_bytes = matrices * d * f * b / n;
    r.edge_bytes = edges * T * d * b;
    r.hidden_bytes = hiddens * T * f / n * b;
    r.network_bytes = 2 * (n - 1) / n * T * d * b;
    r.ring_bw = beyond ? wires.network_gbit * 1e9 / 8 : gpu.link_gb * 1e9 / 2;
    r.steps = 2 * (n - 1);
    r.t_compute = r.flops / n / (gpu.dense_tflops * 1e12);
    r.t_memory = (r.weight_bytes + r.edge_bytes + r.hidden_bytes) / (gpu.memory_tb * 1e12);
    r.t_network = r.network_bytes / r.ring_bw + latency * r.steps;
    r.time = max(r.t_compute, r.t_memory) + r.t_network;
    const double longest = max(max(r.t_compute, r.t_memory), r.t_network);
    r.binds = longest == r.t_compute ? resource::compute : longest == r.t_memory ? resource::memory : resource::network;
    return r;
}

} // namespace

group largest_group(ffn layer, chip gpu, fabric wires, design kind, double share) {
    if (!is_valid(layer, gpu, wires, kind) || !(share > 0 && share < 1)) return {};
    const std::int64_t most = layer.gpus;
    layer.gpus = 1;
    group g;
    g.time_one = model(layer, gpu, wires, kind).time;
    g.size = 0;
    double before = g.time_one;
    for (layer.gpus = 2; layer.gpus <= most; ++layer.gpus) {
        const double at = model(layer, gpu, wires, kind).time;
        if (at <= (1 - share) * before) {
            g.size = layer.gpus;
            g.time_before = before;
            g.time_at = at;
        }
        before = at;
    }
    return g;
}

batch least_batch(ffn layer, chip gpu, fabric wires, design kind) {
    if (!is_valid(layer, gpu, wires, kind)) return {};
    layer.tokens = 0;
    const refined none = model(layer, gpu, wires, kind);
    layer.tokens = 1;
    const refined one = model(layer, gpu, wires, kind);
    const double compute = one.t_compute, network = one.network_bytes / one.ring_bw;
    const double memory = (one.edge_bytes + one.hidden_bytes) / (gpu.memory_tb * 1e12);
    batch x;
    x.memory_tokens = none.t_memory / (compute - memory);
    x.network_tokens = none.t_network / (compute - network);
    x.tokens = max(1, __builtin_ceil(max(x.memory_tokens, x.network_tokens)));
    return x;
}

doubling what_to_double(ffn layer, chip gpu, fabric wires, design kind) {
    if (!is_valid(layer, gpu, wires, kind)) return {};
    const refined now = model(layer, gpu, wires, kind);
    const double transfer = now.network_bytes / now.ring_bw;
    doubling x;
    x.time = now.time;
    x.time_peak = max(now.t_compute / 2, now.t_memory) + now.t_network;
    x.time_memory = max(now.t_compute, now.t_memory / 2) + now.t_network;
    x.time_link = now.time - transfer / 2;
    layer.gpus *= 2;
    x.time_gpus = model(layer, gpu, wires, kind).time;
    const double times[] = {x.time_peak, x.time_memory, x.time_link, x.time_gpus};
    double shortest = x.time;
    for (int i = 0; i < 4; ++i)
        if (times[i] < shortest) {
            shortest = times[i];
            x.best = static_cast<option>(i);
        }
    x.halves = shortest <= x.time / 2;
    return x;
}

} // namespace roofline
