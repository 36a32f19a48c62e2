// Right: begins with all there could be and takes away what is not there, wherever that costs no digits; long double.
#include "contract.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace memory {

namespace {

using real = long double;
using count = std::int64_t;

template <class... Counts> bool below(count least, Counts... counts) { return ((counts < least) || ...); }

double gib(real bytes) { return static_cast<double>(std::ldexp(bytes, -30)); }

/// A matrix of `bits` an element, in bytes.
real matrix(count rows, count columns, count bits) { return std::ldexp(real(rows) * columns * bits, -3); }

bool bad(const product& p) { return below(0, p.m, p.k, p.n) || below(1, p.bits); }

real part(real all, count ways) { return all / ways; }

} // namespace

forward_bytes forward(product p) {
    if (bad(p)) return {};
    forward_bytes r;
    const real x = matrix(p.m, p.k, p.bits), w = matrix(p.k, p.n, p.bits), y = matrix(p.m, p.n, p.bits);
    r.x = static_cast<double>(x);
    r.w = static_cast<double>(w);
    r.y = static_cast<double>(y);
    r.total = static_cast<double>(x + w + y);
    r.total_gib = gib(x + w + y);
    return r;
}

backward_bytes backward(product p, liveness policy, bool dx_first) {
    if (bad(p)) return {};
    const real x = matrix(p.m, p.k, p.bits), w = matrix(p.k, p.n, p.bits), y = matrix(p.m, p.n, p.bits);
    const real everything = 2 * (x + w + y);
    real while_dw = everything, while_dx = everything, after = everything;
    (dx_first ? while_dx : while_dw) -= dx_first ? w : x; // the second gradient is not there yet
    if (policy != liveness::keep_all) {
        while_dw -= y; // Y
        while_dx -= y;
        after -= 2 * y; // and dY
    }
    if (policy == liveness::free_x) {
        after -= x;
        if (!dx_first) while_dx -= x;
    }
    backward_bytes r;
    r.while_dw = static_cast<double>(while_dw);
    r.while_dx = static_cast<double>(while_dx);
    r.after = static_cast<double>(after);
    r.peak = std::max(r.while_dw, r.while_dx);
    r.peak_gib = gib(std::max(while_dw, while_dx));
    return r;
}

state_bytes training_state(count parameters, count gpus, zero stage, bool fp32_gradients) {
    if (below(0, parameters) || below(1, gpus)) return {};
    std::array<real, 4> bytes{2, fp32_gradients ? 4.0L : 2.0L, 4, 8}; // weights, gradients, master, moments
    for (real& one : bytes) one *= parameters;
    switch (stage) {
    case zero::weights: bytes[0] = part(bytes[0], gpus); [[fallthrough]];
    case zero::gradients: bytes[1] = part(bytes[1], gpus); [[fallthrough]];
    case zero::optimizer: bytes[2] = part(bytes[2], gpus), bytes[3] = part(bytes[3], gpus); [[fallthrough]];
    case zero::none: break;
    }
    const real total = bytes[0] + bytes[1] + bytes[2] + bytes[3];
    state_bytes r;
    r.weights = static_cast<double>(bytes[0]);
    r.gradients = static_cast<double>(bytes[1]);
    r.master = static_cast<double>(bytes[2]);
    r.moments = static_cast<double>(bytes[3]);
    r.total = static_cast<double>(total);
    r.total_gb = static_cast<double>(total / 1e9L);
    return r;
}

parameter_count parameters(model m, count bits) {
    if (below(1, m.d_model, m.heads, m.kv_heads, m.head_dim, bits) ||
        below(0, m.layers, m.hidden, m.vocab, m.positions, m.norms) || m.heads % m.kv_heads != 0)
        return {};
    const real d = m.d_model, q = real(m.heads) * m.head_dim, saved = real(m.heads - m.kv_heads) * m.head_dim;
    const real attention = 4 * d * q - 2 * d * saved; // multi-head less what the groups share
    const real ffn = (m.gated ? 3 : 2) * d * m.hidden;
    real biases = m.qkv_bias ? 3 * q - 2 * saved : 0;
    if (m.dense_bias) biases += 2 * d + (m.gated ? 2 : 1) * real(m.hidden);
    const real norm = 2 * d - (m.norm_bias ? 0 : d);
    const real norms = norm * m.norms + (m.qk_norm ? 2 * real(m.head_dim) : 0);
    const real layer = attention + ffn + biases + norms, table = d * m.vocab;
    real total = 2 * table + d * m.positions + m.layers * layer + (m.final_norm ? norm : 0);
    if (m.tied) total -= table;
    parameter_count r;
    r.embedding = static_cast<double>(table);
    r.position = static_cast<double>(d * m.positions);
    r.attention = static_cast<double>(attention);
    r.ffn = static_cast<double>(ffn);
    r.biases = static_cast<double>(biases);
    r.norms = static_cast<double>(norms);
    r.layer = static_cast<double>(layer);
    r.total = static_cast<double>(total);
    r.total_gib = gib(total * bits / 8);
    return r;
}

cache_bytes kv_cache(cache c) {
    if (below(1, c.d_model, c.heads, c.kv_heads, c.head_dim, c.bits) || below(0, c.layers, c.batch, c.tokens) ||
        c.heads % c.kv_heads != 0)
        return {};
    const real all = 2 * matrix(c.heads, c.head_dim, c.bits), kv = all * c.kv_heads / c.heads; // multi-head's, grouped
    const real tokens = real(c.tokens) * c.batch;
    cache_bytes r;
    r.token_in_layer = static_cast<double>(kv);
    r.token = static_cast<double>(kv * c.layers);
    r.sequence = static_cast<double>(kv * c.tokens * c.layers);
    r.total = static_cast<double>(tokens * kv * c.layers);
    r.total_gib = gib(tokens * kv * c.layers);
    return r;
}

activation_bytes activations(stack k, bool dropout, recompute recomputed) {
    if (below(1, k.d_model, k.heads) || below(0, k.layers, k.batch, k.sequence)) return {};
    const real sb = real(k.sequence) * k.batch, sbh = sb * k.d_model, square = sb * k.sequence * k.heads;
    real attention = 11 * sbh, ffn = 19 * sbh, scores = 5 * square;
    if (!dropout) {
        attention -= sbh;
        ffn -= sbh;
        scores -= 3 * square;
    }
    const real norms = 4 * sbh, layer = attention + ffn + scores + norms;
    real kept = recomputed == recompute::none ? layer : attention + ffn + norms;
    if (recomputed == recompute::full) kept = 2 * sbh;
    activation_bytes r;
    r.attention = static_cast<double>(attention);
    r.scores = static_cast<double>(scores);
    r.ffn = static_cast<double>(ffn);
    r.norms = static_cast<double>(norms);
    r.layer = static_cast<double>(layer);
    r.kept = static_cast<double>(kept);
    r.total = static_cast<double>(k.layers * kept);
    r.total_gib = gib(k.layers * kept);
    return r;
}

share_bytes split_matmul(product p, split by, count gpus) {
    if (bad(p) || below(1, gpus)) return {};
    real x = matrix(p.m, p.k, p.bits), w = matrix(p.k, p.n, p.bits), y = matrix(p.m, p.n, p.bits);
    real sent = y - part(y, gpus);
    if (by == split::column) y = part(y, gpus);
    if (by == split::row) sent *= 2, x = part(x, gpus);
    if (by == split::pipeline)
        sent = gpus == 1 ? 0 : y;
    else
        w = part(w, gpus);
    share_bytes r;
    r.x = static_cast<double>(x);
    r.w = static_cast<double>(w);
    r.y = static_cast<double>(y);
    r.total = static_cast<double>(x + w + y);
    r.sent = static_cast<double>(sent);
    return r;
}

stage_bytes first_stage(plan run, recompute recomputed) {
    if (below(1, run.layers, run.d_model, run.heads, run.sequence, run.micro_batch, run.micro_batches, run.tensor,
              run.pipeline, run.chunks) ||
        run.heads % run.tensor != 0 || run.d_model % run.tensor != 0 ||
        (run.sequence_parallel && run.sequence % run.tensor != 0) || run.layers % run.pipeline != 0 ||
        run.layers / run.pipeline % run.chunks != 0 || (run.chunks != 1 && run.micro_batches % run.pipeline != 0))
        return {};
    const count held = run.layers / run.pipeline, t = run.tensor;
    const real d = run.d_model, sbh = d * run.sequence * run.micro_batch;
    const real parameters = part(12 * d * d * held, t);

    // As if one GPU held the layer, less what the others of the group take over.
    const real square = real(run.heads) * run.sequence * run.sequence * run.micro_batch;
    const real scores = (run.dropout ? 5 : 2) * square, whole = (run.dropout ? 10 : 8) * sbh;
    const real lost = recomputed == recompute::none ? 0 : scores;
    real kept = part(24 * sbh + (scores - lost), t) + (run.sequence_parallel ? part(whole, t) : whole);
    if (recomputed == recompute::full) kept = run.sequence_parallel ? part(2 * sbh, t) : 2 * sbh;

    const real all = real(run.micro_batches) * run.chunks;
    const real places = run.chunks == 1 ? real(run.pipeline) : real(run.chunks + 1) * run.pipeline - 1;
    const real in_flight = std::min(all, places) * (held / run.chunks);

    const real pass = 2 * sbh - part(2 * sbh, t);
    real passes = 14; // full recompute along the sequence
    if (!run.sequence_parallel) passes -= 2;
    if (recomputed != recompute::full) passes -= 4;
    const real boundary = run.pipeline == 1 ? 0 : 4 * sbh * run.chunks;
    const real state = (run.fp32_gradients ? 18 : 16) * parameters, total = state + kept * in_flight;
    stage_bytes r;
    r.parameters = static_cast<double>(parameters);
    r.state = static_cast<double>(state);
    r.kept = static_cast<double>(kept);
    r.in_flight = static_cast<double>(in_flight);
    r.activations = static_cast<double>(kept * in_flight);
    r.total = static_cast<double>(total);
    r.total_gib = gib(total);
    r.sent_tensor = static_cast<double>(held * passes * pass);
    r.sent_pipeline = static_cast<double>(run.sequence_parallel ? part(boundary, t) : boundary);
    return r;
}

fit least_gpus(demand need) {
    if (below(1, need.layers, need.d_model, need.hidden, need.bytes_per_parameter, need.node) || need.node > 1024 ||
        std::isnan(need.memory_gib) || std::isinf(need.memory_gib) || need.memory_gib <= 0)
        return {};
    constexpr double never = std::numeric_limits<double>::infinity();
    const real room = std::ldexp(real(need.memory_gib), 30);
    const real one = real(need.d_model) * need.hidden * need.bytes_per_parameter, all = one * need.layers;
    fit r;
    r.matrix = static_cast<double>(one);
    r.total = static_cast<double>(all);
    r.least = static_cast<double>(std::ceil(all / room));
    r.stages = r.ranks = r.tensor = r.gpus = never;
    for (count t = 1; t <= need.node; ++t) {
        if (need.hidden % t != 0) continue;
        const real share = one / t;
        if (r.ranks == never && share * need.layers <= room) r.ranks = static_cast<double>(t);
        if (share > room) continue; // a stage would not hold one
        const auto stages = static_cast<double>(std::ceil(need.layers / std::floor(room / share)));
        if (t == 1) r.stages = stages;
        if (static_cast<double>(t) * stages >= r.gpus) continue;
        r.tensor = static_cast<double>(t);
        r.gpus = r.tensor * stages;
    }
    return r;
}

} // namespace memory
