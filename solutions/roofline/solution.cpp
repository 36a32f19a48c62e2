// The model answer: one function for the times of the refined model, asked forwards (level 3) and backwards (level 4).
#include "contract.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace roofline {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

bool is_rate(double x) { return std::isfinite(x) && x > 0; }
bool is_latency(double x) { return std::isfinite(x) && x >= 0; }
bool is_valid(const ffn& l) { return l.tokens >= 0 && l.d_model >= 1 && l.hidden >= 1 && l.gpus >= 1; }
bool is_valid(const chip& c) {
    return is_rate(c.dense_tflops) && is_rate(c.sparse_tflops) && is_rate(c.memory_tb) && is_rate(c.link_gb);
}
bool is_valid(const fabric& w) {
    return w.gpus_per_node >= 1 && is_rate(w.network_gbit) && is_latency(w.link_latency) &&
           is_latency(w.network_latency);
}
bool is_valid(const ffn& l, const chip& c, const fabric& w, const design& k) {
    return is_valid(l) && is_valid(c) && is_valid(w) && k.bytes_per_element >= 1;
}

double peak_flops(const chip& c) { return c.dense_tflops * 1e12; }
double hbm_bw(const chip& c) { return c.memory_tb * 1e12; }
double link_bw(const chip& c) { return c.link_gb * 1e9 / 2; } // the sheet adds both directions up

// Each GPU sends its share n-1 times in the reduce-scatter and n-1 times in the all-gather.
double ring_share(double n) { return 2 * (n - 1) / n; }

resource longest(double compute, double memory, double network) {
    if (compute >= memory && compute >= network) return resource::compute;
    return memory >= network ? resource::memory : resource::network;
}

// Level 3 for valid input. Counts are doubles from here on: their products pass 2^63.
refined model(const ffn& layer, const chip& gpu, const fabric& wires, const design& kind) {
    const double T = static_cast<double>(layer.tokens), d = static_cast<double>(layer.d_model);
    const double f = static_cast<double>(layer.hidden), n = static_cast<double>(layer.gpus);
    const double b = static_cast<double>(kind.bytes_per_element);
    const double matrices = kind.gated ? 3 : 2;
    const double edges = kind.fused || !kind.gated ? 2 : 3;
    const double hiddens = kind.fused ? 0 : kind.gated ? 4 : 2;
    const bool beyond = layer.gpus > wires.gpus_per_node;
    refined r;
    r.flops = matrices * 2 * T * d * f;
    r.weight_bytes = matrices * d * f * b / n;
    r.edge_bytes = edges * T * d * b;
    r.hidden_bytes = hiddens * T * f * b / n;
    r.network_bytes = ring_share(n) * T * d * b;
    r.ring_bw = beyond ? wires.network_gbit * 1e9 / 8 : link_bw(gpu);
    r.steps = 2 * (n - 1);
    r.t_compute = r.flops / n / peak_flops(gpu);
    r.t_memory = (r.weight_bytes + r.edge_bytes + r.hidden_bytes) / hbm_bw(gpu);
    r.t_network = r.network_bytes / r.ring_bw + r.steps * (beyond ? wires.network_latency : wires.link_latency);
    r.time = std::max(r.t_compute, r.t_memory) + r.t_network;
    r.binds = longest(r.t_compute, r.t_memory, r.t_network);
    return r;
}

// T at which a line through 0 of this slope meets one that starts at `ahead`.
double meeting(double slope, double ahead, double other_slope) {
    return slope > other_slope ? ahead / (slope - other_slope) : infinity;
}

} // namespace

costs count(ffn layer, chip gpu) {
    if (!is_valid(layer) || !is_valid(gpu)) return {};
    const double T = static_cast<double>(layer.tokens), d = static_cast<double>(layer.d_model);
    const double f = static_cast<double>(layer.hidden), n = static_cast<double>(layer.gpus);
    costs c;
    c.peak_flops = peak_flops(gpu);
    c.hbm_bw = hbm_bw(gpu);
    c.link_bw = link_bw(gpu);
    c.flops = 2 * (2 * T * d * f);
    c.weight_bytes = 2 * d * f * 2;
    c.activation_bytes = T * (2 * d + f) * 2;
    c.network_bytes = ring_share(n) * T * d * 2;
    c.t_compute = c.flops / n / c.peak_flops;
    c.t_memory = (c.weight_bytes / n + c.activation_bytes) / c.hbm_bw;
    c.t_network = c.network_bytes / c.link_bw;
    c.time = std::max({c.t_compute, c.t_memory, c.t_network});
    c.binds = longest(c.t_compute, c.t_memory, c.t_network);
    return c;
}

balance cross(ffn layer, chip gpu, std::int64_t bytes_per_element) {
    if (!is_valid(layer) || !is_valid(gpu) || bytes_per_element < 1) return {};
    const double T = static_cast<double>(layer.tokens), d = static_cast<double>(layer.d_model);
    const double f = static_cast<double>(layer.hidden), n = static_cast<double>(layer.gpus);
    const double b = static_cast<double>(bytes_per_element);
    balance x;
    x.ridge = peak_flops(gpu) / hbm_bw(gpu);
    x.intensity = (4 * T * d * f / n) / (2 * d * f * b / n + T * (2 * d + f) * b);
    x.binds = x.intensity >= x.ridge ? resource::compute : resource::memory;
    x.weight_tokens = x.ridge * b / 2; // a token does 2 FLOPs with each weight of b bytes
    x.activation_share = x.weight_tokens * n * (2 * d + f) / (2 * d * f);
    x.crossover = x.activation_share < 1 ? x.weight_tokens / (1 - x.activation_share) : infinity;
    x.least_tokens = std::ceil(x.crossover);
    return x;
}

refined refine(ffn layer, chip gpu, fabric wires, design kind) {
    return is_valid(layer, gpu, wires, kind) ? model(layer, gpu, wires, kind) : refined{};
}

group largest_group(ffn layer, chip gpu, fabric wires, design kind, double share) {
    if (!is_valid(layer, gpu, wires, kind) || !(share > 0 && share < 1)) return {};
    const std::int64_t most = layer.gpus;
    layer.gpus = 1;
    double before = model(layer, gpu, wires, kind).time;
    group g;
    g.time_one = before;
    g.size = 0;
    for (layer.gpus = 2; layer.gpus <= most; ++layer.gpus) { // to the end: beyond a node it may pay again
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
    const double activations = (one.edge_bytes + one.hidden_bytes) / hbm_bw(gpu);
    batch x;
    x.memory_tokens = meeting(one.t_compute, none.t_memory, activations);
    x.network_tokens = meeting(one.t_compute, none.t_network, one.network_bytes / one.ring_bw);
    x.tokens = std::max(1.0, std::ceil(std::max(x.memory_tokens, x.network_tokens)));
    return x;
}

doubling what_to_double(ffn layer, chip gpu, fabric wires, design kind) {
    if (!is_valid(layer, gpu, wires, kind)) return {};
    const auto time_with = [&](auto change) {
        ffn l = layer;
        chip c = gpu;
        fabric w = wires;
        change(l, c, w);
        return model(l, c, w, kind).time;
    };
    doubling x;
    x.time = time_with([](ffn&, chip&, fabric&) {});
    x.time_peak = time_with([](ffn&, chip& c, fabric&) { c.dense_tflops *= 2; });
    x.time_memory = time_with([](ffn&, chip& c, fabric&) { c.memory_tb *= 2; });
    x.time_link = time_with([](ffn&, chip& c, fabric& w) { c.link_gb *= 2, w.network_gbit *= 2; }); // one is in use
    x.time_gpus = time_with([](ffn& l, chip&, fabric&) { l.gpus *= 2; });
    double shortest = x.time;
    const double times[] = {x.time_peak, x.time_memory, x.time_link, x.time_gpus};
    for (int i = 0; i < 4; ++i)
        if (times[i] < shortest) {
            shortest = times[i];
            x.best = static_cast<option>(i);
        }
    x.halves = shortest <= x.time / 2;
    return x;
}

reducing reduce(ffn layer, chip gpu, fabric wires, design kind) {
    if (!is_valid(layer, gpu, wires, kind) || layer.gpus > wires.gpus_per_node) return {};
    const refined ring = model(layer, gpu, wires, kind);
    const double n = static_cast<double>(layer.gpus);
    const double tensor = static_cast<double>(layer.tokens) * static_cast<double>(layer.d_model) *
                          static_cast<double>(kind.bytes_per_element);
    const bool alone = layer.gpus == 1;
    reducing x;
    x.ring_bytes = ring.network_bytes;
    x.switch_bytes = alone ? 0 : (n + 1) / n * tensor; // all of it to be added up, an n-th to be handed round
    x.t_ring = ring.t_network;
    x.t_switch = alone ? 0 : x.switch_bytes / ring.ring_bw + 2 * wires.link_latency;
    if (!alone) x.best = x.t_switch < x.t_ring ? reduction::in_switch : reduction::ring;
    return x;
}

} // namespace roofline
