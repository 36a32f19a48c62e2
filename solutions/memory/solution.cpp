// The model answer: every count becomes a double before it is multiplied, and every record is filled from top to
// bottom.
#include "contract.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>

namespace memory {

namespace {

constexpr double gib = 1 << 30;

bool all_at_least(std::int64_t least, std::initializer_list<std::int64_t> counts) {
    return std::all_of(counts.begin(), counts.end(), [&](std::int64_t count) { return count >= least; });
}

/// Bytes of a (rows, columns) matrix.
double bytes(std::int64_t rows, std::int64_t columns, std::int64_t bits) {
    return static_cast<double>(rows) * static_cast<double>(columns) * static_cast<double>(bits) / 8;
}

bool in_range(const product& p) { return all_at_least(0, {p.m, p.k, p.n}) && p.bits >= 1; }

bool divides(std::int64_t part, std::int64_t whole) { return whole % part == 0; }

} // namespace

forward_bytes forward(product p) {
    if (!in_range(p)) return {};
    forward_bytes r;
    r.x = bytes(p.m, p.k, p.bits);
    r.w = bytes(p.k, p.n, p.bits);
    r.y = bytes(p.m, p.n, p.bits);
    r.total = r.x + r.w + r.y;
    r.total_gib = r.total / gib;
    return r;
}

backward_bytes backward(product p, liveness policy, bool dx_first) {
    if (!in_range(p)) return {};
    const double x = bytes(p.m, p.k, p.bits), w = bytes(p.k, p.n, p.bits), y = bytes(p.m, p.n, p.bits);
    const double dx = x, dw = w, dy = y;
    const double begin = x + w + dy + (policy == liveness::keep_all ? y : 0);
    const double freed_x = policy == liveness::free_x ? x : 0; // once dW is there
    backward_bytes r;
    r.while_dw = begin + dw + (dx_first ? dx : 0);
    r.while_dx = begin + dx + (dx_first ? 0 : dw - freed_x);
    r.after = begin + dw + dx - freed_x - (policy == liveness::keep_all ? 0 : dy);
    r.peak = std::max(r.while_dw, r.while_dx);
    r.peak_gib = r.peak / gib;
    return r;
}

state_bytes training_state(std::int64_t parameters, std::int64_t gpus, zero stage, bool fp32_gradients) {
    if (parameters < 0 || gpus < 1) return {};
    const auto all = static_cast<double>(parameters);
    const double share = all / static_cast<double>(gpus);
    state_bytes r;
    r.weights = 2 * (stage >= zero::weights ? share : all);
    r.gradients = (fp32_gradients ? 4 : 2) * (stage >= zero::gradients ? share : all);
    r.master = 4 * (stage >= zero::optimizer ? share : all);
    r.moments = 8 * (stage >= zero::optimizer ? share : all);
    r.total = r.weights + r.gradients + r.master + r.moments;
    r.total_gb = r.total / 1e9;
    return r;
}

parameter_count parameters(model net, std::int64_t bits) {
    if (!all_at_least(1, {net.d_model, net.heads, net.kv_heads, net.head_dim, bits}) ||
        !all_at_least(0, {net.layers, net.hidden, net.vocab, net.positions, net.norms}) ||
        !divides(net.kv_heads, net.heads))
        return {};
    const auto d = static_cast<double>(net.d_model), hidden = static_cast<double>(net.hidden),
               dim = static_cast<double>(net.head_dim);
    const double q = static_cast<double>(net.heads) * dim, kv = static_cast<double>(net.kv_heads) * dim;
    const double norm = net.norm_bias ? 2 * d : d;
    parameter_count r;
    r.embedding = static_cast<double>(net.vocab) * d;
    r.position = static_cast<double>(net.positions) * d;
    r.attention = d * q + 2 * d * kv + q * d;
    r.ffn = (net.gated ? 3 : 2) * d * hidden;
    r.biases = (net.qkv_bias ? q + 2 * kv : 0) + (net.dense_bias ? d + (net.gated ? 2 : 1) * hidden + d : 0);
    r.norms = static_cast<double>(net.norms) * norm + (net.qk_norm ? 2 * dim : 0);
    r.layer = r.attention + r.ffn + r.biases + r.norms;
    r.total = (net.tied ? 1 : 2) * r.embedding + r.position + static_cast<double>(net.layers) * r.layer +
              (net.final_norm ? norm : 0);
    r.total_gib = r.total * static_cast<double>(bits) / 8 / gib;
    return r;
}

cache_bytes kv_cache(cache c) {
    if (!all_at_least(1, {c.d_model, c.heads, c.kv_heads, c.head_dim, c.bits}) ||
        !all_at_least(0, {c.layers, c.batch, c.tokens}) || !divides(c.kv_heads, c.heads))
        return {};
    cache_bytes r;
    r.token_in_layer = 2 * bytes(c.kv_heads, c.head_dim, c.bits);
    r.token = static_cast<double>(c.layers) * r.token_in_layer;
    r.sequence = static_cast<double>(c.tokens) * r.token;
    r.total = static_cast<double>(c.batch) * r.sequence;
    r.total_gib = r.total / gib;
    return r;
}

activation_bytes activations(stack blocks, bool dropout, recompute recomputed) {
    if (!all_at_least(1, {blocks.d_model, blocks.heads}) ||
        !all_at_least(0, {blocks.layers, blocks.batch, blocks.sequence}))
        return {};
    const auto s = static_cast<double>(blocks.sequence);
    const double sb = s * static_cast<double>(blocks.batch), sbh = sb * static_cast<double>(blocks.d_model);
    activation_bytes r;
    r.attention = (dropout ? 11 : 10) * sbh;
    r.scores = (dropout ? 5 : 2) * static_cast<double>(blocks.heads) * s * sb;
    r.ffn = (dropout ? 19 : 18) * sbh;
    r.norms = 4 * sbh;
    r.layer = r.attention + r.scores + r.ffn + r.norms;
    r.kept = recomputed == recompute::full        ? 2 * sbh
             : recomputed == recompute::selective ? r.attention + r.ffn + r.norms
                                                  : r.layer;
    r.total = static_cast<double>(blocks.layers) * r.kept;
    r.total_gib = r.total / gib;
    return r;
}

share_bytes split_matmul(product p, split by, std::int64_t gpus) {
    if (!in_range(p) || gpus < 1) return {};
    const auto g = static_cast<double>(gpus);
    const double y = bytes(p.m, p.n, p.bits), round = (g - 1) / g * y;
    share_bytes r;
    r.x = bytes(p.m, p.k, p.bits) / (by == split::row ? g : 1);
    r.w = bytes(p.k, p.n, p.bits) / (by == split::pipeline ? 1 : g);
    r.y = y / (by == split::column ? g : 1);
    r.total = r.x + r.w + r.y;
    r.sent = by == split::column ? round : by == split::row ? 2 * round : gpus > 1 ? y : 0;
    return r;
}

stage_bytes first_stage(plan run, recompute recomputed) {
    if (!all_at_least(1, {run.layers, run.d_model, run.heads, run.sequence, run.micro_batch, run.micro_batches,
                          run.tensor, run.pipeline, run.chunks}) ||
        !divides(run.tensor, run.heads) || !divides(run.tensor, run.d_model) ||
        (run.sequence_parallel && !divides(run.tensor, run.sequence)) || !divides(run.pipeline, run.layers) ||
        !divides(run.chunks, run.layers / run.pipeline) ||
        (run.chunks > 1 && !divides(run.pipeline, run.micro_batches)))
        return {};
    const auto d = static_cast<double>(run.d_model), s = static_cast<double>(run.sequence),
               b = static_cast<double>(run.micro_batch), n = static_cast<double>(run.micro_batches),
               t = static_cast<double>(run.tensor), p = static_cast<double>(run.pipeline),
               v = static_cast<double>(run.chunks), layers = static_cast<double>(run.layers) / p;
    const double sbh = s * b * d, whole = run.dropout ? 10 : 8, along = run.sequence_parallel ? t : 1;
    const double scores = (run.dropout ? 5 : 2) * static_cast<double>(run.heads) * s * s * b / t;
    stage_bytes r;
    r.parameters = 12 * d * d * layers / t;
    r.state = (run.fp32_gradients ? 18 : 16) * r.parameters;
    r.kept = recomputed == recompute::full
                 ? 2 * sbh / along
                 : (whole / along + 24 / t) * sbh + (recomputed == recompute::selective ? 0 : scores);
    r.in_flight = run.chunks == 1 ? layers * std::min(n, p) : layers / v * std::min(n * v, p * v + p - 1);
    r.activations = r.kept * r.in_flight;
    r.total = r.state + r.activations;
    r.total_gib = r.total / gib;
    const double passes = 8 + (run.sequence_parallel ? 2 : 0) + (recomputed == recompute::full ? 4 : 0);
    r.sent_tensor = layers * passes * (t - 1) / t * 2 * sbh;
    r.sent_pipeline = run.pipeline == 1 ? 0 : 2 * v * 2 * sbh / along;
    return r;
}

fit least_gpus(demand need) {
    if (!all_at_least(1, {need.layers, need.d_model, need.hidden, need.bytes_per_parameter, need.node}) ||
        need.node > 1024 || !(need.memory_gib > 0) || !std::isfinite(need.memory_gib))
        return {};
    const double room = need.memory_gib * gib;
    const auto layers = static_cast<double>(need.layers);
    const double never = std::numeric_limits<double>::infinity();
    const auto stages_for = [&](double part) {
        const double each = std::floor(room / part);
        return each >= 1 ? std::ceil(layers / each) : never;
    };
    fit r;
    r.matrix = bytes(need.d_model, need.hidden, 8) * static_cast<double>(need.bytes_per_parameter);
    r.total = layers * r.matrix;
    r.least = std::ceil(r.total / room);
    r.stages = stages_for(r.matrix);
    r.ranks = r.tensor = r.gpus = never;
    for (std::int64_t t = 1; t <= need.node; ++t) {
        if (!divides(t, need.hidden)) continue;
        const auto ranks = static_cast<double>(t);
        if (r.ranks == never && r.total / ranks <= room) r.ranks = ranks;
        const double gpus = ranks * stages_for(r.matrix / ranks);
        if (gpus < r.gpus) {
            r.gpus = gpus;
            r.tensor = ranks;
        }
    }
    return r;
}

} // namespace memory
