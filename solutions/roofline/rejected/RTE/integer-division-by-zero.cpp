// Wrong: divides by n before looking at it.
// Expect: counts
// Level: counts
#include "contract.hpp"

namespace roofline {

namespace {

double max(double a, double b) { return a > b ? a : b; }
bool is_rate(double x) { return x > 0 && x < __builtin_inf(); }
bool is_valid(const ffn& l, const chip& c) {
    return l.tokens >= 0 && l.d_model >= 1 && l.hidden >= 1 && l.gpus >= 1 && is_rate(c.dense_tflops) &&
           is_rate(c.sparse_tflops) && is_rate(c.memory_tb) && is_rate(c.link_gb);
}

} // namespace

costs count(ffn layer, chip gpu) {
    // f/n as whole columns and what is left over
    const std::int64_t columns = layer.hidden / layer.gpus, left = layer.hidden % layer.gpus;
    if (columns < 0 || left < 0 || !is_valid(layer, gpu)) return {};
    const double T = double(layer.tokens), d = double(layer.d_model), f = double(layer.hidden), n = double(layer.gpus);
    costs c;
    c.peak_flops = gpu.dense_tflops * 1e12;
    c.hbm_bw = gpu.memory_tb * 1e12;
    c.link_bw = gpu.link_gb * 1e9 / 2;
    c.flops = 2 * (2 * T * d * f);
    c.weight_bytes = 2 * d * f * 2;
    c.activation_bytes = T * (2 * d + f) * 2;
    c.network_bytes = 2 * (n - 1) / n * T * d * 2;
    c.t_compute = 4 * T * d * (double(columns) + double(left) / n) / c.peak_flops;
    c.t_memory = (c.weight_bytes / n + c.activation_bytes) / c.hbm_bw;
    c.t_network = c.network_bytes / c.link_bw;
    c.time = max(max(c.t_compute, c.t_memory), c.t_network);
    c.binds = c.time == c.t_compute ? resource::compute : c.time == c.t_memory ? resource::memory : resource::network;
    return c;
}

} // namespace roofline
