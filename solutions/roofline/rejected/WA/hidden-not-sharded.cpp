// Wrong: the whole hidden tensor on each GPU.
// Level: refined
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
    r.hidden_bytes = hiddens * T * f * b;
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

refined refine(ffn layer, chip gpu, fabric wires, design kind) {
    return is_valid(layer, gpu, wires, kind) ? model(layer, gpu, wires, kind) : refined{};
}

} // namespace roofline
