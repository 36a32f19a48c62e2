// Every time is a line in T, intercept and slope: levels 2 and 4 are where lines meet, or which of them is scaled.
#include "contract.hpp"

#include <algorithm>
#include <cmath>

namespace roofline {

namespace {

bool is_rate(double x) { return std::isfinite(x) && x > 0; }
bool is_valid(const ffn& l, const chip& c) {
    return std::min({l.d_model, l.hidden, l.gpus}) >= 1 && l.tokens >= 0 && is_rate(c.dense_tflops) &&
           is_rate(c.sparse_tflops) && is_rate(c.memory_tb) && is_rate(c.link_gb);
}
bool is_valid(const ffn& l, const chip& c, const fabric& w, const design& k) {
    const bool waits = std::isfinite(w.link_latency) && w.link_latency >= 0 && std::isfinite(w.network_latency) &&
                       w.network_latency >= 0;
    return is_valid(l, c) && w.gpus_per_node >= 1 && is_rate(w.network_gbit) && waits && k.bytes_per_element >= 1;
}

struct line {
    double start = 0, slope = 0;
    double at(double tokens) const { return start + slope * tokens; }
    line over(double rate) const { return {start / rate, slope / rate}; }
};

/// From how many tokens on `steep` is at least as high as `flat`.
double meet(line steep, line flat) {
    const double closing = steep.slope - flat.slope;
    return closing > 0 ? (flat.start - steep.start) / closing : HUGE_VAL;
}

/// What one GPU does, reads and sends.
struct work {
    line flops, weights, edges, hiddens, sent;
    double wait = 0, rate = 1, steps = 0;

    line memory() const { return {weights.start, edges.slope + hiddens.slope}; }
};

work work_of(const ffn& layer, const chip& gpu, const fabric& wires, const design& kind) {
    const double d = static_cast<double>(layer.d_model), n = static_cast<double>(layer.gpus);
    const double columns = static_cast<double>(layer.hidden) / n; // of each matrix on one GPU
    const double b = static_cast<double>(kind.bytes_per_element);
    const int matrices = kind.gated ? 3 : 2;
    work w;
    w.flops.slope = 2 * d * columns * matrices;
    w.weights.start = d * columns * matrices * b;
    w.edges.slope = d * b * (kind.fused ? 2 : matrices);
    w.hiddens.slope = kind.fused ? 0 : columns * b * (2 * matrices - 2);
    w.sent.slope = d * b * (2 - 2 / n);
    w.steps = 2 * n - 2;
    const bool inside = layer.gpus <= wires.gpus_per_node;
    w.rate = inside ? gpu.link_gb / 2 * 1e9 : wires.network_gbit / 8 * 1e9;
    w.wait = w.steps * (inside ? wires.link_latency : wires.network_latency);
    return w;
}

struct lines {
    line compute, memory, network;
    double time(double tokens) const { return std::max(compute.at(tokens), memory.at(tokens)) + network.at(tokens); }
};

lines lines_of(const work& w, const chip& gpu, double peak = 1, double memory = 1, double link = 1) {
    lines all{w.flops.over(gpu.dense_tflops * 1e12 * peak), w.memory().over(gpu.memory_tb * 1e12 * memory),
              w.sent.over(w.rate * link)};
    all.network.start = w.wait;
    return all;
}

resource longest(double compute, double memory, double network) {
    const double times[] = {compute, memory, network};
    return static_cast<resource>(std::max_element(times, times + 3) - times); // the first of equals
}

} // namespace

costs count(ffn layer, chip gpu) {
    if (!is_valid(layer, gpu)) return {};
    const double T = static_cast<double>(layer.tokens), d = static_cast<double>(layer.d_model);
    const double f = static_cast<double>(layer.hidden), n = static_cast<double>(layer.gpus);
    const line flops{0, 4 * d * f}, weights{4 * d * f, 0}, activations{0, 4 * d + 2 * f}, sent{0, 4 * d * (1 - 1 / n)};
    costs c;
    c.peak_flops = 1e12 * gpu.dense_tflops;
    c.hbm_bw = 1e12 * gpu.memory_tb;
    c.link_bw = 5e8 * gpu.link_gb;
    c.flops = flops.at(T);
    c.weight_bytes = weights.at(T);
    c.activation_bytes = activations.at(T);
    c.network_bytes = sent.at(T);
    c.t_compute = flops.over(n).over(c.peak_flops).at(T);
    c.t_memory = line{weights.start / n, activations.slope}.over(c.hbm_bw).at(T);
    c.t_network = sent.over(c.link_bw).at(T);
    c.binds = longest(c.t_compute, c.t_memory, c.t_network);
    c.time = c.binds == resource::compute ? c.t_compute : c.binds == resource::memory ? c.t_memory : c.t_network;
    return c;
}

balance cross(ffn layer, chip gpu, std::int64_t bytes_per_element) {
    if (!is_valid(layer, gpu) || bytes_per_element < 1) return {};
    const double T = static_cast<double>(layer.tokens), d = static_cast<double>(layer.d_model);
    const double columns = static_cast<double>(layer.hidden) / static_cast<double>(layer.gpus);
    const double b = static_cast<double>(bytes_per_element);
    // in units of FLOPs and bytes of one GPU
    const line flops{0, 4 * d * columns}, bytes{2 * d * columns * b, (2 * d + static_cast<double>(layer.hidden)) * b};
    const double ridge = gpu.dense_tflops / gpu.memory_tb;
    const line memory{bytes.start * ridge, bytes.slope * ridge}; // FLOPs that fit into the time of the bytes
    balance x;
    x.ridge = ridge;
    x.intensity = flops.at(T) / bytes.at(T);
    x.binds = flops.at(T) >= memory.at(T) ? resource::compute : resource::memory;
    x.weight_tokens = meet(flops, {memory.start, 0});
    x.activation_share = memory.slope / flops.slope;
    x.crossover = meet(flops, memory);
    x.least_tokens = std::ceil(x.crossover);
    return x;
}

refined refine(ffn layer, chip gpu, fabric wires, design kind) {
    if (!is_valid(layer, gpu, wires, kind)) return {};
    const work w = work_of(layer, gpu, wires, kind);
    const lines times = lines_of(w, gpu);
    const double T = static_cast<double>(layer.tokens);
    refined r;
    r.flops = w.flops.at(T) * static_cast<double>(layer.gpus);
    r.weight_bytes = w.weights.at(T);
    r.edge_bytes = w.edges.at(T);
    r.hidden_bytes = w.hiddens.at(T);
    r.network_bytes = w.sent.at(T);
    r.ring_bw = w.rate;
    r.steps = w.steps;
    r.t_compute = times.compute.at(T);
    r.t_memory = times.memory.at(T);
    r.t_network = times.network.at(T);
    r.time = times.time(T);
    r.binds = longest(r.t_compute, r.t_memory, r.t_network);
    return r;
}

group largest_group(ffn layer, chip gpu, fabric wires, design kind, double share) {
    if (!is_valid(layer, gpu, wires, kind) || !(share > 0) || !(share < 1)) return {};
    const double T = static_cast<double>(layer.tokens);
    const auto time = [&](std::int64_t n) {
        ffn with = layer;
        with.gpus = n;
        return lines_of(work_of(with, gpu, wires, kind), gpu).time(T);
    };
    group g;
    g.time_one = time(1);
    g.size = 0;
    for (std::int64_t n = layer.gpus; n > 1; --n) // the first from above is the largest
        if (time(n) <= time(n - 1) * (1 - share)) {
            g.size = n;
            g.time_before = time(n - 1);
            g.time_at = time(n);
            break;
        }
    return g;
}

batch least_batch(ffn layer, chip gpu, fabric wires, design kind) {
    if (!is_valid(layer, gpu, wires, kind)) return {};
    const lines times = lines_of(work_of(layer, gpu, wires, kind), gpu);
    batch x;
    x.memory_tokens = meet(times.compute, times.memory);
    x.network_tokens = meet(times.compute, times.network);
    x.tokens = std::max({1.0, std::ceil(x.memory_tokens), std::ceil(x.network_tokens)});
    return x;
}

doubling what_to_double(ffn layer, chip gpu, fabric wires, design kind) {
    if (!is_valid(layer, gpu, wires, kind)) return {};
    const double T = static_cast<double>(layer.tokens);
    ffn twice = layer;
    twice.gpus += layer.gpus;
    const work w = work_of(layer, gpu, wires, kind), shared = work_of(twice, gpu, wires, kind);
    const double times[] = {lines_of(w, gpu, 2).time(T), lines_of(w, gpu, 1, 2).time(T),
                            lines_of(w, gpu, 1, 1, 2).time(T), lines_of(shared, gpu).time(T)};
    const double* shortest = std::min_element(times, times + 4);
    doubling x;
    x.time = lines_of(w, gpu).time(T);
    x.time_peak = times[0];
    x.time_memory = times[1];
    x.time_link = times[2];
    x.time_gpus = times[3];
    if (*shortest < x.time) x.best = static_cast<option>(shortest - times);
    x.halves = 2 * *shortest <= x.time;
    return x;
}

reducing reduce(ffn layer, chip gpu, fabric wires, design kind) {
    if (!is_valid(layer, gpu, wires, kind) || layer.gpus > wires.gpus_per_node) return {};
    const double T = static_cast<double>(layer.tokens);
    const work w = work_of(layer, gpu, wires, kind);
    reducing x;
    x.ring_bytes = w.sent.at(T);
    x.switch_bytes = 0;
    x.t_ring = lines_of(w, gpu).network.at(T);
    x.t_switch = 0;
    if (layer.gpus == 1) return x;
    const double row = static_cast<double>(layer.d_model * kind.bytes_per_element);
    const line sent{0, row + row / static_cast<double>(layer.gpus)};
    x.switch_bytes = sent.at(T);
    x.t_switch = 2 * wires.link_latency + sent.over(w.rate).at(T);
    x.best = x.t_ring <= x.t_switch ? reduction::ring : reduction::in_switch;
    return x;
}

} // namespace roofline
