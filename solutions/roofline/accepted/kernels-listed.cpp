// Lists the kernels of one GPU with what each reads and writes, and the all-reduce step by step as a chunk size and a
// count; adds up in long double. The crossovers are bisected, not solved.
#include "contract.hpp"

#include <cmath>
#include <functional>
#include <vector>

namespace roofline {

namespace {

using real = long double;

struct kernel {
    real flops = 0, weights = 0;     // FLOPs a token; elements
    real edge_rows = 0, hiddens = 0; // elements a token, read or written
};

struct machine {
    real peak, memory, link, network, link_wait, network_wait;
};

bool positive(double x) { return !(x <= 0) && std::isfinite(x); }
bool is_sane(const ffn& l, const chip& c) {
    return l.tokens >= 0 && l.d_model > 0 && l.hidden > 0 && l.gpus > 0 && positive(c.dense_tflops) &&
           positive(c.sparse_tflops) && positive(c.memory_tb) && positive(c.link_gb);
}
bool is_sane(const ffn& l, const chip& c, const fabric& w, const design& k) {
    for (const double wait : {w.link_latency, w.network_latency})
        if (!(wait == 0 || positive(wait))) return false;
    return is_sane(l, c) && w.gpus_per_node > 0 && positive(w.network_gbit) && k.bytes_per_element > 0;
}

machine machine_of(const chip& c, const fabric& w) {
    return {c.dense_tflops * 1e12L,    c.memory_tb * 1e12L, c.link_gb * 0.5e9L,
            w.network_gbit * 0.125e9L, w.link_latency,      w.network_latency};
}

/// Each matmul is a kernel; the last one of a gated pair reads what the first has written.
std::vector<kernel> kernels_of(const ffn& l, const design& k) {
    const real d = l.d_model, columns = real(l.hidden) / l.gpus;
    std::vector<kernel> list;
    if (k.gated) list.push_back({2 * d * columns, d * columns, d, columns}); // gate: x -> g
    const real reads = k.gated ? 2 * columns : columns;                      // g read, h written
    list.push_back({2 * d * columns, d * columns, d, reads});                // up: x (and g) -> h
    list.push_back({2 * d * columns, d * columns, d, columns});              // down: h -> y
    if (!k.fused) return list;
    kernel all;
    for (const kernel& one : list) {
        all.flops += one.flops;
        all.weights += one.weights;
    }
    all.edge_rows = 2 * d;
    return {all};
}

struct sums {
    real flops = 0, weights = 0, edges = 0, hiddens = 0, sent = 0, rate = 1, steps = 0, wait = 0;
    real compute = 0, read = 0, network = 0;
    real time() const { return (compute > read ? compute : read) + network; }
};

sums sums_of(real tokens, const ffn& l, const machine& m, const fabric& w, const design& k) {
    const real b = k.bytes_per_element;
    sums s;
    for (const kernel& one : kernels_of(l, k)) {
        s.flops += one.flops * tokens;
        s.weights += one.weights * b;
        s.edges += one.edge_rows * tokens * b;
        s.hiddens += one.hiddens * tokens * b;
    }
    const bool inside = l.gpus <= w.gpus_per_node;
    const real chunk = tokens * l.d_model * b / l.gpus;
    s.steps = 2 * (real(l.gpus) - 1);
    s.sent = s.steps * chunk;
    s.rate = inside ? m.link : m.network;
    s.wait = inside ? m.link_wait : m.network_wait;
    s.compute = s.flops / m.peak;
    s.read = (s.weights + s.edges + s.hiddens) / m.memory;
    s.network = s.steps * (chunk / s.rate + s.wait);
    return s;
}

resource first_longest(real compute, real memory, real network) {
    if (network > compute && network > memory) return resource::network;
    return memory > compute ? resource::memory : resource::compute;
}

/// Where `ahead`, positive at 0 and a line in T, falls to 0; infinity where it does not fall.
double zero_of(const std::function<real(real)>& ahead) {
    if (ahead(0) <= 0) return ahead(1) < 0 ? 0 : HUGE_VAL; // no head start: now or never
    real high = 1;
    while (ahead(high) > 0)
        if ((high *= 2) > 1e30L) return HUGE_VAL;
    real low = 0;
    for (int i = 0; i < 160 && low < high; ++i) {
        const real middle = low + (high - low) / 2;
        (ahead(middle) > 0 ? low : high) = middle;
    }
    return static_cast<double>(high);
}

} // namespace

costs count(ffn layer, chip gpu) {
    if (!is_sane(layer, gpu)) return {};
    const machine m = machine_of(gpu, {});
    const real T = layer.tokens, d = layer.d_model, f = layer.hidden, n = layer.gpus;
    const real matmul = 2 * T * d * f, matrix = 2 * d * f;
    const real tensors = 2 * T * d + 2 * T * d + 2 * T * f; // in, out, hidden
    const real chunk = 2 * T * d / n, steps = 2 * (n - 1);
    const real compute = 2 * matmul / (n * m.peak), memory = 2 * matrix / (n * m.memory) + tensors / m.memory;
    const real network = chunk / m.link * steps;
    costs c;
    c.peak_flops = static_cast<double>(m.peak);
    c.hbm_bw = static_cast<double>(m.memory);
    c.link_bw = static_cast<double>(m.link);
    c.flops = static_cast<double>(matmul + matmul);
    c.weight_bytes = static_cast<double>(matrix + matrix);
    c.activation_bytes = static_cast<double>(tensors);
    c.network_bytes = static_cast<double>(chunk * steps);
    c.t_compute = static_cast<double>(compute);
    c.t_memory = static_cast<double>(memory);
    c.t_network = static_cast<double>(network);
    c.time = std::fmax(c.t_compute, std::fmax(c.t_memory, c.t_network));
    c.binds = first_longest(c.t_compute, c.t_memory, c.t_network);
    return c;
}

balance cross(ffn layer, chip gpu, std::int64_t bytes_per_element) {
    if (!is_sane(layer, gpu) || bytes_per_element < 1) return {};
    const real d = layer.d_model, f = layer.hidden, n = layer.gpus, b = bytes_per_element;
    const real ridge = real(gpu.dense_tflops) / gpu.memory_tb;
    const auto flops = [&](real T) { return 4 * T * d * f / n; };
    const auto bytes = [&](real T) { return 2 * d * f / n * b + T * (d + f + d) * b; };
    balance x;
    x.ridge = static_cast<double>(ridge);
    x.intensity = static_cast<double>(flops(layer.tokens) / bytes(layer.tokens));
    x.binds = x.intensity >= x.ridge ? resource::compute : resource::memory;
    x.weight_tokens = zero_of([&](real T) { return ridge * bytes(0) - flops(T); });
    x.activation_share = static_cast<double>(ridge * (d + f + d) * b / flops(1));
    x.crossover = zero_of([&](real T) { return ridge * bytes(T) - flops(T); });
    x.least_tokens = std::ceil(x.crossover);
    return x;
}

refined refine(ffn layer, chip gpu, fabric wires, design kind) {
    if (!is_sane(layer, gpu, wires, kind)) return {};
    const sums s = sums_of(layer.tokens, layer, machine_of(gpu, wires), wires, kind);
    refined r;
    r.flops = static_cast<double>(s.flops * layer.gpus);
    r.weight_bytes = static_cast<double>(s.weights);
    r.edge_bytes = static_cast<double>(s.edges);
    r.hidden_bytes = static_cast<double>(s.hiddens);
    r.network_bytes = static_cast<double>(s.sent);
    r.ring_bw = static_cast<double>(s.rate);
    r.steps = static_cast<double>(s.steps);
    r.t_compute = static_cast<double>(s.compute);
    r.t_memory = static_cast<double>(s.read);
    r.t_network = static_cast<double>(s.network);
    r.time = static_cast<double>(s.time());
    r.binds = first_longest(s.compute, s.read, s.network);
    return r;
}

group largest_group(ffn layer, chip gpu, fabric wires, design kind, double share) {
    if (!is_sane(layer, gpu, wires, kind) || !(share > 0 && share < 1)) return {};
    const machine m = machine_of(gpu, wires);
    std::vector<real> times{0}; // by n
    for (ffn with{layer.tokens, layer.d_model, layer.hidden, 1}; with.gpus <= layer.gpus; ++with.gpus)
        times.push_back(sums_of(layer.tokens, with, m, wires, kind).time());
    group g;
    g.time_one = static_cast<double>(times[1]);
    std::size_t size = times.size() - 1;
    while (size > 1 && times[size - 1] - times[size] < share * times[size - 1]) --size;
    g.size = 0;
    if (size == 1) return g;
    g.size = static_cast<std::int64_t>(size);
    g.time_before = static_cast<double>(times[size - 1]);
    g.time_at = static_cast<double>(times[size]);
    return g;
}

batch least_batch(ffn layer, chip gpu, fabric wires, design kind) {
    if (!is_sane(layer, gpu, wires, kind)) return {};
    const machine m = machine_of(gpu, wires);
    const auto at = [&](real T) { return sums_of(T, layer, m, wires, kind); };
    batch x;
    x.memory_tokens = zero_of([&](real T) { return at(T).read - at(T).compute; });
    x.network_tokens = zero_of([&](real T) { return at(T).network - at(T).compute; });
    x.tokens = std::fmax(1, std::ceil(std::fmax(x.memory_tokens, x.network_tokens)));
    return x;
}

doubling what_to_double(ffn layer, chip gpu, fabric wires, design kind) {
    if (!is_sane(layer, gpu, wires, kind)) return {};
    const auto time = [&](const ffn& l, const machine& m) {
        return static_cast<double>(sums_of(l.tokens, l, m, wires, kind).time());
    };
    const machine m = machine_of(gpu, wires);
    machine faster[3] = {m, m, m};
    faster[0].peak *= 2;
    faster[1].memory *= 2;
    (layer.gpus > wires.gpus_per_node ? faster[2].network : faster[2].link) *= 2;
    ffn more = layer;
    more.gpus *= 2;
    doubling x;
    x.time = time(layer, m);
    x.time_peak = time(layer, faster[0]);
    x.time_memory = time(layer, faster[1]);
    x.time_link = time(layer, faster[2]);
    x.time_gpus = time(more, m);
    const double times[] = {x.time_peak, x.time_memory, x.time_link, x.time_gpus, x.time};
    int best = 4;
    for (int i = 3; i >= 0; --i)
        if (times[i] < times[best] || (best < 4 && times[i] == times[best])) best = i;
    if (best < 4) x.best = static_cast<option>(best);
    x.halves = times[best] <= x.time / 2;
    return x;
}

reducing reduce(ffn layer, chip gpu, fabric wires, design kind) {
    if (!is_sane(layer, gpu, wires, kind) || layer.gpus > wires.gpus_per_node) return {};
    const machine m = machine_of(gpu, wires);
    const sums s = sums_of(layer.tokens, layer, m, wires, kind);
    // for each of n chunks: all GPUs send theirs up, and the one that gets the sum sends it up once more
    const real chunk = real(layer.tokens) * layer.d_model * kind.bytes_per_element / layer.gpus;
    const real sent = layer.gpus == 1 ? 0 : layer.gpus * chunk + chunk;
    const real waits = layer.gpus == 1 ? 0 : 2 * m.link_wait;
    reducing x;
    x.ring_bytes = static_cast<double>(s.sent);
    x.switch_bytes = static_cast<double>(sent);
    x.t_ring = static_cast<double>(s.network);
    x.t_switch = static_cast<double>(sent / m.link + waits);
    if (layer.gpus > 1) x.best = x.t_switch < x.t_ring ? reduction::in_switch : reduction::ring;
    return x;
}

} // namespace roofline
