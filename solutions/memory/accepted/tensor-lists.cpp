// Right: writes down every tensor and adds up a list, with lifetimes where they matter. Longer than formulas, and
// nothing to remember.
#include "contract.hpp"

#include <cmath>
#include <limits>
#include <vector>

namespace memory {

namespace {

using real = double;

constexpr real bytes_in_gib = 1073741824;

real sum(const std::vector<real>& parts) {
    real all = 0;
    for (const real part : parts) all += part;
    return all;
}

bool any_below(std::int64_t least, const std::vector<std::int64_t>& counts) {
    for (const std::int64_t count : counts)
        if (count < least) return true;
    return false;
}

struct matrices {
    real x, w, y;
};

matrices of(const product& p) {
    const real size = real(p.bits) / 8;
    return {size * real(p.m) * real(p.k), size * real(p.k) * real(p.n), size * real(p.m) * real(p.n)};
}

bool is_bad(const product& p) { return any_below(0, {p.m, p.k, p.n}) || p.bits < 1; }

/// Lives during the steps first to last: 0 and 1 are the two products, 2 is afterwards.
struct live {
    real bytes;
    int first, last;
};

real at(const std::vector<live>& tensors, int step) {
    real all = 0;
    for (const live& tensor : tensors)
        if (tensor.first <= step && step <= tensor.last) all += tensor.bytes;
    return all;
}

/// A kept tensor of a GPT block: bytes an element, split over the tensor group or not.
struct kept {
    real bytes, elements;
    bool split, scores;
};

std::vector<kept> block(real s, real b, real h, real a, bool dropout) {
    const real wide = s * b * h, square = a * s * s * b;
    std::vector<kept> list{
        {2, wide, false, false},    // input of the first norm
        {2, wide, false, false},    // input of q, k, v
        {2, wide, true, false},     // q
        {2, wide, true, false},     // k
        {2, square, true, true},    // softmax
        {2, wide, true, false},     // v
        {2, wide, true, false},     // input of the projection
        {2, wide, false, false},    // input of the second norm
        {2, wide, false, false},    // input of the feed-forward layer
        {2, 4 * wide, true, false}, // input of GELU
        {2, 4 * wide, true, false}, // input of the second matrix
    };
    if (dropout) {
        list.push_back({1, square, true, true}); // mask on the scores
        list.push_back({2, square, true, true}); // and what it leaves
        list.push_back({1, wide, false, false}); // mask after attention
        list.push_back({1, wide, false, false}); // mask after the feed-forward layer
    }
    return list;
}

} // namespace

forward_bytes forward(product p) {
    if (is_bad(p)) return {};
    const auto [x, w, y] = of(p);
    const real all = sum({x, w, y});
    return {x, w, y, all, all / bytes_in_gib};
}

backward_bytes backward(product p, liveness policy, bool dx_first) {
    if (is_bad(p)) return {};
    const auto [x, w, y] = of(p);
    const int dw_step = dx_first ? 1 : 0, dx_step = 1 - dw_step;
    std::vector<live> tensors{{w, 0, 2}, {w, dw_step, 2}, {x, dx_step, 2}}; // W, dW, dX
    tensors.push_back({y, 0, policy == liveness::keep_all ? 2 : 1});        // dY
    tensors.push_back({x, 0, policy == liveness::free_x ? dw_step : 2});    // X
    if (policy == liveness::keep_all) tensors.push_back({y, 0, 2});         // Y
    backward_bytes r;
    r.while_dw = at(tensors, dw_step);
    r.while_dx = at(tensors, dx_step);
    r.after = at(tensors, 2);
    r.peak = r.while_dw > r.while_dx ? r.while_dw : r.while_dx;
    r.peak_gib = r.peak / bytes_in_gib;
    return r;
}

state_bytes training_state(std::int64_t parameters, std::int64_t gpus, zero stage, bool fp32_gradients) {
    if (parameters < 0 || gpus < 1) return {};
    const auto part = [&](real bytes, zero from) {
        return stage >= from ? bytes * real(parameters) / real(gpus) : bytes * real(parameters);
    };
    state_bytes r;
    r.weights = part(2, zero::weights);
    r.gradients = part(fp32_gradients ? 4 : 2, zero::gradients);
    r.master = part(4, zero::optimizer);
    r.moments = part(4, zero::optimizer) + part(4, zero::optimizer);
    r.total = sum({r.weights, r.gradients, r.master, r.moments});
    r.total_gb = r.total * 1e-9;
    return r;
}

parameter_count parameters(model m, std::int64_t bits) {
    if (any_below(1, {m.d_model, m.heads, m.kv_heads, m.head_dim, bits}) ||
        any_below(0, {m.layers, m.hidden, m.vocab, m.positions, m.norms}) || m.heads % m.kv_heads != 0)
        return {};
    const real d = real(m.d_model), f = real(m.hidden), q = real(m.heads) * real(m.head_dim),
               kv = real(m.kv_heads) * real(m.head_dim);
    std::vector<real> attention{d * q, d * kv, d * kv, q * d}, ffn{d * f, f * d}, biases, norms, top;
    if (m.gated) ffn.push_back(d * f);
    if (m.qkv_bias) biases.insert(biases.end(), {q, kv, kv});
    if (m.dense_bias) biases.insert(biases.end(), {d, f, d});
    if (m.dense_bias && m.gated) biases.push_back(f);
    norms.push_back(real(m.norms) * d);
    if (m.norm_bias) norms.push_back(real(m.norms) * d);
    if (m.qk_norm) norms.insert(norms.end(), {real(m.head_dim), real(m.head_dim)});
    parameter_count r;
    r.embedding = real(m.vocab) * d;
    r.position = real(m.positions) * d;
    r.attention = sum(attention);
    r.ffn = sum(ffn);
    r.biases = sum(biases);
    r.norms = sum(norms);
    r.layer = sum({r.attention, r.ffn, r.biases, r.norms});
    top = {r.embedding, r.position, real(m.layers) * r.layer};
    if (!m.tied) top.push_back(r.embedding);
    if (m.final_norm) top.push_back(d);
    if (m.final_norm && m.norm_bias) top.push_back(d);
    r.total = sum(top);
    r.total_gib = r.total * (real(bits) / 8) / bytes_in_gib;
    return r;
}

cache_bytes kv_cache(cache c) {
    if (any_below(1, {c.d_model, c.heads, c.kv_heads, c.head_dim, c.bits}) ||
        any_below(0, {c.layers, c.batch, c.tokens}) || c.heads % c.kv_heads != 0)
        return {};
    const real key = real(c.kv_heads) * real(c.head_dim) * real(c.bits) / 8, value = key;
    cache_bytes r;
    r.token_in_layer = key + value;
    r.token = real(c.layers) * key + real(c.layers) * value;
    r.sequence = r.token * real(c.tokens);
    r.total = r.sequence * real(c.batch);
    r.total_gib = r.total / bytes_in_gib;
    return r;
}

activation_bytes activations(stack blocks, bool dropout, recompute recomputed) {
    if (any_below(1, {blocks.d_model, blocks.heads}) || any_below(0, {blocks.layers, blocks.batch, blocks.sequence}))
        return {};
    const std::vector<kept> list =
        block(real(blocks.sequence), real(blocks.batch), real(blocks.d_model), real(blocks.heads), dropout);
    activation_bytes r;
    r.attention = r.scores = r.ffn = r.norms = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const bool norm = i == 0 || i == 7, ffn = (i >= 8 && i <= 10) || i == 14;
        (list[i].scores ? r.scores : norm ? r.norms : ffn ? r.ffn : r.attention) += list[i].bytes * list[i].elements;
    }
    r.layer = sum({r.attention, r.scores, r.ffn, r.norms});
    r.kept = r.layer;
    if (recomputed == recompute::selective) r.kept = sum({r.attention, r.ffn, r.norms});
    if (recomputed == recompute::full) r.kept = list.front().bytes * list.front().elements;
    r.total = r.kept * real(blocks.layers);
    r.total_gib = r.total / bytes_in_gib;
    return r;
}

share_bytes split_matmul(product p, split by, std::int64_t gpus) {
    if (is_bad(p) || gpus < 1) return {};
    auto [x, w, y] = of(p);
    real sent = gpus > 1 ? y : 0;
    if (by != split::pipeline) {
        const real message = y / real(gpus); // one step of a ring; gpus - 1 steps a pass
        sent = message * real(gpus - 1) * (by == split::row ? 2 : 1);
        w /= real(gpus);
        (by == split::row ? x : y) /= real(gpus);
    }
    return {x, w, y, sum({x, w, y}), sent};
}

stage_bytes first_stage(plan run, recompute recomputed) {
    if (any_below(1, {run.layers, run.d_model, run.heads, run.sequence, run.micro_batch, run.micro_batches, run.tensor,
                      run.pipeline, run.chunks}))
        return {};
    if (run.heads % run.tensor != 0 || run.d_model % run.tensor != 0 || run.layers % run.pipeline != 0 ||
        run.layers / run.pipeline % run.chunks != 0)
        return {};
    if (run.sequence_parallel && run.sequence % run.tensor != 0) return {};
    if (run.chunks > 1 && run.micro_batches % run.pipeline != 0) return {};
    const real t = real(run.tensor), d = real(run.d_model), layers = real(run.layers / run.pipeline);
    const std::vector<kept> list = block(real(run.sequence), real(run.micro_batch), d, real(run.heads), run.dropout);
    stage_bytes r;
    r.parameters = layers * sum({d * d / t, d * d / t, d * d / t, d * d / t, 4 * d * d / t, 4 * d * d / t});
    r.state = r.parameters * sum({2, run.fp32_gradients ? 4. : 2., 4, 4, 4});
    r.kept = 0;
    for (const kept& one : list) {
        const bool dropped = recomputed == recompute::full        ? &one != &list.front()
                             : recomputed == recompute::selective ? one.scores
                                                                  : false;
        if (!dropped) r.kept += one.bytes * one.elements / (one.split || run.sequence_parallel ? t : 1);
    }
    // Forwards that the first stage has begun before it begins the first backward.
    real waiting = real(run.pipeline);
    if (run.chunks > 1) waiting = real(run.chunks - 1) * real(run.pipeline) + 2 * real(run.pipeline - 1) + 1;
    const real all = real(run.micro_batches) * real(run.chunks);
    r.in_flight = (waiting < all ? waiting : all) * (layers / real(run.chunks));
    r.activations = r.in_flight * r.kept;
    r.total = r.state + r.activations;
    r.total_gib = r.total / bytes_in_gib;
    const real message = 2 * real(run.sequence) * real(run.micro_batch) * d, pass = message * (t - 1) / t;
    std::vector<real> sent(8, pass); // twice all-reduce forward, twice backward
    if (run.sequence_parallel) sent.insert(sent.end(), {pass, pass});
    if (recomputed == recompute::full) sent.insert(sent.end(), 4, pass);
    r.sent_tensor = layers * sum(sent);
    r.sent_pipeline = 0;
    if (run.pipeline > 1) r.sent_pipeline = real(run.chunks) * (message + message) / (run.sequence_parallel ? t : 1);
    return r;
}

fit least_gpus(demand need) {
    if (any_below(1, {need.layers, need.d_model, need.hidden, need.bytes_per_parameter, need.node}) ||
        need.node > 1024 || std::isnan(need.memory_gib) || std::isinf(need.memory_gib) || need.memory_gib <= 0)
        return {};
    const real none = std::numeric_limits<real>::infinity(), room = need.memory_gib * bytes_in_gib;
    const real matrix = real(need.d_model) * real(need.hidden) * real(need.bytes_per_parameter);
    const real all = matrix * real(need.layers);
    fit r{matrix, all, std::ceil(all / room), none, none, none, none};
    // From many ranks to few, so that the last of equal combinations has the fewest.
    for (std::int64_t t = need.node; t >= 1; --t) {
        if (need.hidden % t != 0) continue;
        if (all <= room * real(t)) r.ranks = real(t);
        const real each = std::floor(room * real(t) / matrix);
        if (each < 1) continue;
        const real gpus = real(t) * std::ceil(real(need.layers) / each);
        if (gpus <= r.gpus) {
            r.gpus = gpus;
            r.tensor = real(t);
        }
        if (t == 1) r.stages = gpus;
    }
    return r;
}

} // namespace memory
