// Counts stay integers, 128 bits wide, until they are divided: every product is exact (2^124 at the most).
#include "contract.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace roofline {

namespace {

using wide = __int128;

bool fits(double x, bool zero_too) { return (zero_too ? x >= 0 : x > 0) && x <= std::numeric_limits<double>::max(); }
bool fits(const ffn& l, const chip& c) {
    return !(l.tokens < 0 || l.d_model < 1 || l.hidden < 1 || l.gpus < 1) && fits(c.dense_tflops, false) &&
           fits(c.sparse_tflops, false) && fits(c.memory_tb, false) && fits(c.link_gb, false);
}
bool fits(const ffn& l, const chip& c, const fabric& w, const design& k) {
    return fits(l, c) && w.gpus_per_node > 0 && fits(w.network_gbit, false) && fits(w.link_latency, true) &&
           fits(w.network_latency, true) && k.bytes_per_element > 0;
}

double ratio(wide numerator, wide denominator) {
    return static_cast<double>(numerator) / static_cast<double>(denominator);
}

/// Numerators over n, so that a GPU's share is exact as well.
struct shares {
    wide n, flops, weights, edges, hiddens, sent;
    wide memory() const { return weights + edges + hiddens; }
};

shares shares_of(const ffn& l, const design& k) {
    const wide T = l.tokens, d = l.d_model, f = l.hidden, n = l.gpus, b = k.bytes_per_element;
    const wide matrices = k.gated ? 3 : 2;
    shares s;
    s.n = n;
    s.flops = 2 * matrices * T * d * f;
    s.weights = matrices * d * f * b;
    s.edges = (k.fused ? 2 : matrices) * T * d * b * n;
    s.hiddens = (k.fused ? 0 : 2 * matrices - 2) * T * f * b;
    s.sent = 2 * (n - 1) * T * d * b;
    return s;
}

refined answer(const ffn& l, const chip& c, const fabric& w, const design& k) {
    const shares s = shares_of(l, k);
    const bool one_node = l.gpus <= w.gpus_per_node;
    refined r;
    r.flops = static_cast<double>(s.flops);
    r.weight_bytes = ratio(s.weights, s.n);
    r.edge_bytes = ratio(s.edges, s.n);
    r.hidden_bytes = ratio(s.hiddens, s.n);
    r.network_bytes = ratio(s.sent, s.n);
    r.ring_bw = one_node ? c.link_gb * 5e8 : w.network_gbit * 1.25e8;
    r.steps = static_cast<double>(2 * (s.n - 1));
    r.t_compute = ratio(s.flops, s.n) / c.dense_tflops / 1e12;
    r.t_memory = ratio(s.memory(), s.n) / c.memory_tb / 1e12;
    r.t_network = ratio(s.sent, s.n) / r.ring_bw + (one_node ? w.link_latency : w.network_latency) * r.steps;
    r.time = r.t_network + (r.t_compute < r.t_memory ? r.t_memory : r.t_compute);
    r.binds = resource::compute;
    if (r.t_memory > r.t_compute) r.binds = resource::memory;
    if (r.t_network > std::max(r.t_memory, r.t_compute)) r.binds = resource::network;
    return r;
}

} // namespace

costs count(ffn layer, chip gpu) {
    if (!fits(layer, gpu)) return {};
    const wide T = layer.tokens, d = layer.d_model, f = layer.hidden, n = layer.gpus;
    const wide flops = 4 * T * d * f, weights = 4 * d * f, activations = 2 * T * (2 * d + f),
               sent = 4 * (n - 1) * T * d;
    costs c;
    c.peak_flops = gpu.dense_tflops * 1e12;
    c.hbm_bw = gpu.memory_tb * 1e12;
    c.link_bw = gpu.link_gb * 5e8;
    c.flops = static_cast<double>(flops);
    c.weight_bytes = static_cast<double>(weights);
    c.activation_bytes = static_cast<double>(activations);
    c.network_bytes = ratio(sent, n);
    c.t_compute = ratio(flops, n) / c.peak_flops;
    c.t_memory = ratio(weights + n * activations, n) / c.hbm_bw;
    c.t_network = ratio(sent, n) / c.link_bw;
    c.time = c.t_compute;
    c.binds = resource::compute;
    if (c.t_memory > c.time) c.time = c.t_memory, c.binds = resource::memory;
    if (c.t_network > c.time) c.time = c.t_network, c.binds = resource::network;
    return c;
}

balance cross(ffn layer, chip gpu, std::int64_t bytes_per_element) {
    if (!fits(layer, gpu) || bytes_per_element <= 0) return {};
    const wide T = layer.tokens, d = layer.d_model, f = layer.hidden, n = layer.gpus, b = bytes_per_element;
    balance x;
    x.ridge = gpu.dense_tflops / gpu.memory_tb;
    x.intensity = ratio(4 * T * d * f, (2 * d * f + n * T * (2 * d + f)) * b);
    x.binds = x.intensity < x.ridge ? resource::memory : resource::compute;
    // T (4 d f - R b n (2 d + f)) = 2 R b d f, both sides over 4 d f
    x.weight_tokens = x.ridge * static_cast<double>(b) * 0.5;
    x.activation_share = x.ridge * ratio(b * n * (2 * d + f), 4 * d * f);
    x.crossover = x.activation_share < 1 ? x.weight_tokens / (1 - x.activation_share) : HUGE_VAL;
    x.least_tokens = std::ceil(x.crossover);
    return x;
}

refined refine(ffn layer, chip gpu, fabric wires, design kind) {
    if (!fits(layer, gpu, wires, kind)) return {};
    return answer(layer, gpu, wires, kind);
}

group largest_group(ffn layer, chip gpu, fabric wires, design kind, double share) {
    if (!fits(layer, gpu, wires, kind) || !(0 < share && share < 1)) return {};
    group g;
    g.size = 0;
    for (ffn with = layer; with.gpus > 0; --with.gpus) {
        const double at = answer(with, gpu, wires, kind).time;
        if (with.gpus == 1) {
            g.time_one = at;
            break;
        }
        if (g.size > 0) continue;
        ffn fewer = with;
        --fewer.gpus;
        const double before = answer(fewer, gpu, wires, kind).time;
        if (at > before - share * before) continue;
        g.size = with.gpus;
        g.time_before = before;
        g.time_at = at;
    }
    return g;
}

batch least_batch(ffn layer, chip gpu, fabric wires, design kind) {
    if (!fits(layer, gpu, wires, kind)) return {};
    layer.tokens = 1;
    const shares s = shares_of(layer, kind);
    const refined one = answer(layer, gpu, wires, kind);
    const double steps = one.steps * (layer.gpus <= wires.gpus_per_node ? wires.link_latency : wires.network_latency);
    // everything in FLOPs: what compute does while a byte is read, or sent
    const double flops = ratio(s.flops, s.n), a_byte = gpu.dense_tflops / gpu.memory_tb;
    const double a_sent_byte = gpu.dense_tflops * 1e12 / one.ring_bw;
    const double read = a_byte * ratio(s.edges + s.hiddens, s.n), sent = a_sent_byte * ratio(s.sent, s.n);
    batch x;
    x.memory_tokens = flops > read ? a_byte * ratio(s.weights, s.n) / (flops - read) : HUGE_VAL;
    x.network_tokens = flops > sent ? steps * gpu.dense_tflops * 1e12 / (flops - sent) : HUGE_VAL;
    x.tokens = std::max(std::ceil(x.memory_tokens), std::max(std::ceil(x.network_tokens), 1.0));
    return x;
}

doubling what_to_double(ffn layer, chip gpu, fabric wires, design kind) {
    if (!fits(layer, gpu, wires, kind)) return {};
    const refined now = answer(layer, gpu, wires, kind);
    ffn more = layer;
    more.gpus *= 2;
    doubling x;
    x.time = now.time;
    x.time_peak = std::max(now.t_compute / 2, now.t_memory) + now.t_network;
    x.time_memory = std::max(now.t_compute, now.t_memory / 2) + now.t_network;
    x.time_link = std::max(now.t_compute, now.t_memory) + (now.t_network - now.network_bytes / now.ring_bw / 2);
    x.time_gpus = answer(more, gpu, wires, kind).time;
    double shortest = x.time;
    const auto offer = [&](double time, option what) {
        if (time < shortest) shortest = time, x.best = what;
    };
    offer(x.time_peak, option::peak);
    offer(x.time_memory, option::memory);
    if (layer.gpus > 1) offer(x.time_link, option::link);
    offer(x.time_gpus, option::gpus);
    x.halves = x.best != option::none && shortest <= 0.5 * x.time;
    return x;
}

reducing reduce(ffn layer, chip gpu, fabric wires, design kind) {
    if (!fits(layer, gpu, wires, kind) || layer.gpus > wires.gpus_per_node) return {};
    const wide T = layer.tokens, d = layer.d_model, n = layer.gpus, b = kind.bytes_per_element;
    const double rate = gpu.link_gb * 5e8;
    reducing x;
    x.ring_bytes = ratio(2 * (n - 1) * T * d * b, n);
    x.switch_bytes = n == 1 ? 0 : ratio((n + 1) * T * d * b, n);
    x.t_ring = x.ring_bytes / rate + static_cast<double>(2 * n - 2) * wires.link_latency;
    x.t_switch = n == 1 ? 0 : x.switch_bytes / rate + 2 * wires.link_latency;
    if (n > 1) x.best = x.t_switch < x.t_ring ? reduction::in_switch : reduction::ring;
    return x;
}

} // namespace roofline
