// Right: everything as coefficients, in tables and closed forms, in long double.
#include "contract.hpp"

#include <cmath>
#include <initializer_list>

namespace memory {

namespace {

using real = long double;

constexpr real two30 = 1073741824;

double d(real x) { return static_cast<double>(x); }

bool good(const product& p) { return p.m >= 0 && p.k >= 0 && p.n >= 0 && p.bits > 0; }

// Multiples of |X|, |W|, |Y|: during dW, during dX, after; by policy, then order (dW first, dX first).
constexpr int live[3][2][3][3] = {
    {{{1, 2, 2}, {2, 2, 2}, {2, 2, 2}}, {{2, 2, 2}, {2, 1, 2}, {2, 2, 2}}}, // keep_all
    {{{1, 2, 1}, {2, 2, 1}, {2, 2, 0}}, {{2, 2, 1}, {2, 1, 1}, {2, 2, 0}}}, // free_y
    {{{1, 2, 1}, {1, 2, 1}, {1, 2, 0}}, {{2, 2, 1}, {2, 1, 1}, {1, 2, 0}}}, // free_x
};

} // namespace

forward_bytes forward(product p) {
    if (!good(p)) return {};
    const real unit = static_cast<real>(p.bits) * 0.125L, m = p.m, k = p.k, n = p.n;
    const real total = unit * (m * k + (m + k) * n);
    return {d(unit * m * k), d(unit * k * n), d(unit * n * m), d(total), d(total / two30)};
}

backward_bytes backward(product p, liveness policy, bool dx_first) {
    if (!good(p)) return {};
    const real unit = static_cast<real>(p.bits) * 0.125L, m = p.m, k = p.k, n = p.n;
    const auto& row = live[static_cast<int>(policy)][dx_first];
    real sum[3];
    for (int step = 0; step < 3; ++step)
        sum[step] = unit * (row[step][0] * (m * k) + row[step][1] * (k * n) + row[step][2] * (m * n));
    const real peak = sum[0] < sum[1] ? sum[1] : sum[0];
    return {d(sum[0]), d(sum[1]), d(sum[2]), d(peak), d(peak / two30)};
}

state_bytes training_state(std::int64_t parameters, std::int64_t gpus, zero stage, bool fp32_gradients) {
    if (parameters < 0 || gpus <= 0) return {};
    const real width[4] = {2, fp32_gradients ? 4.0L : 2.0L, 4, 8};
    const int sharded_from[4] = {3, 2, 1, 1};
    real part[4], total = 0;
    for (int i = 0; i < 4; ++i) {
        part[i] = width[i] * parameters;
        if (static_cast<int>(stage) >= sharded_from[i]) part[i] /= gpus;
        total += part[i];
    }
    return {d(part[0]), d(part[1]), d(part[2]), d(part[3]), d(total), d(total / 1e9L)};
}

parameter_count parameters(model m, std::int64_t bits) {
    if (m.d_model < 1 || m.heads < 1 || m.kv_heads < 1 || m.head_dim < 1 || bits < 1 || m.layers < 0 || m.hidden < 0 ||
        m.vocab < 0 || m.positions < 0 || m.norms < 0 || m.heads % m.kv_heads)
        return {};
    const real w = m.d_model, f = m.hidden, e = m.head_dim, h = m.heads, g = m.kv_heads;
    const real attention = 2 * w * e * (h + g), ffn = (2 + m.gated) * w * f;
    const real biases = m.qkv_bias * e * (h + 2 * g) + m.dense_bias * (2 * w + (1 + m.gated) * f);
    const real norms = (1 + m.norm_bias) * w * m.norms + m.qk_norm * 2 * e;
    const real layer = attention + ffn + biases + norms;
    const real total =
        w * (static_cast<real>(m.vocab) * (2 - m.tied) + m.positions + m.final_norm * (1 + m.norm_bias)) +
        m.layers * layer;
    return {d(m.vocab * w), d(m.positions * w),           d(attention), d(ffn), d(biases), d(norms), d(layer),
            d(total),       d(total * bits / (8 * two30))};
}

cache_bytes kv_cache(cache c) {
    if (c.d_model < 1 || c.heads < 1 || c.kv_heads < 1 || c.head_dim < 1 || c.bits < 1 || c.layers < 0 || c.batch < 0 ||
        c.tokens < 0 || c.heads % c.kv_heads)
        return {};
    const real one = static_cast<real>(c.kv_heads) * c.head_dim * c.bits / 4; // 2 tensors of bits / 8
    const real token = one * c.layers, sequence = token * c.tokens, total = sequence * c.batch;
    return {d(one), d(token), d(sequence), d(total), d(total / two30)};
}

activation_bytes activations(stack k, bool dropout, recompute recomputed) {
    if (k.d_model < 1 || k.heads < 1 || k.layers < 0 || k.batch < 0 || k.sequence < 0) return {};
    const real s = k.sequence, b = k.batch, h = k.d_model, a = k.heads, mask = dropout;
    const real layer = s * b * (h * (32 + 2 * mask) + a * s * (2 + 3 * mask));
    const real kept = recomputed == recompute::none        ? layer
                      : recomputed == recompute::selective ? s * b * h * (32 + 2 * mask)
                                                           : 2 * s * b * h;
    return {d(s * b * h * (10 + mask)),
            d(s * s * b * a * (2 + 3 * mask)),
            d(s * b * h * (18 + mask)),
            d(4 * s * b * h),
            d(layer),
            d(kept),
            d(kept * k.layers),
            d(kept * k.layers / two30)};
}

share_bytes split_matmul(product p, split by, std::int64_t gpus) {
    if (!good(p) || gpus < 1) return {};
    const real unit = static_cast<real>(p.bits) / 8 / gpus, m = p.m, k = p.k, n = p.n, g = gpus;
    switch (by) {
    case split::column:
        return {d(unit * m * k * g), d(unit * k * n), d(unit * m * n), d(unit * (m * k * g + k * n + m * n)),
                d(unit * m * n * (g - 1))};
    case split::row:
        return {d(unit * m * k), d(unit * k * n), d(unit * m * n * g), d(unit * (m * k + k * n + m * n * g)),
                d(2 * unit * m * n * (g - 1))};
    case split::pipeline: break;
    }
    return {d(unit * g * m * k), d(unit * g * k * n), d(unit * g * m * n), d(unit * g * (m * k + k * n + m * n)),
            gpus == 1 ? 0 : d(unit * g * m * n)};
}

stage_bytes first_stage(plan r, recompute recomputed) {
    for (const std::int64_t count :
         {r.layers, r.d_model, r.heads, r.sequence, r.micro_batch, r.micro_batches, r.tensor, r.pipeline, r.chunks})
        if (count < 1) return {};
    if (r.heads % r.tensor || r.d_model % r.tensor || (r.sequence_parallel && r.sequence % r.tensor) ||
        r.layers % r.pipeline || r.layers / r.pipeline % r.chunks || (r.chunks > 1 && r.micro_batches % r.pipeline))
        return {};
    const real L = r.layers, h = r.d_model, a = r.heads, s = r.sequence, b = r.micro_batch, n = r.micro_batches,
               t = r.tensor, p = r.pipeline, v = r.chunks, mask = r.dropout;
    const real whole = r.sequence_parallel ? (8 + 2 * mask) / t : 8 + 2 * mask, input = r.sequence_parallel ? 2 / t : 2;
    const real square = (2 + 3 * mask) * a * s / (h * t);
    const real kept = s * b * h *
                      (recomputed == recompute::full        ? input
                       : recomputed == recompute::selective ? whole + 24 / t
                                                            : whole + 24 / t + square);
    // Of n micro-batches, p are enough for 1F1B, and 1 + (p - 1)/(pv) models' worth of layers when interleaved.
    const real flight = r.chunks == 1 ? (n < p ? L * n / p : L) : n > p ? L * (1 + (p - 1) / (p * v)) : L * n / p;
    const real parameters = 12 * h * h * L / (t * p), state = parameters * (r.fp32_gradients ? 18 : 16);
    const real total = state + kept * flight;
    const real passes = 8 + 2 * r.sequence_parallel + 4 * (recomputed == recompute::full);
    return {d(parameters),
            d(state),
            d(kept),
            d(flight),
            d(kept * flight),
            d(total),
            d(total / two30),
            d(2 * s * b * h * passes * (1 - 1 / t) * L / p),
            r.pipeline == 1 ? 0 : d(4 * s * b * h * v / (r.sequence_parallel ? t : 1))};
}

fit least_gpus(demand need) {
    if (need.layers < 1 || need.d_model < 1 || need.hidden < 1 || need.bytes_per_parameter < 1 || need.node < 1 ||
        need.node > 1024 || !(need.memory_gib > 0 && need.memory_gib < __builtin_inf()))
        return {};
    const real matrix = static_cast<real>(need.d_model) * need.hidden * need.bytes_per_parameter;
    const real total = matrix * need.layers, room = need.memory_gib * two30;
    const auto stages = [&](std::int64_t t) -> real {
        const real each = std::floor(room * t / matrix);
        return each < 1 ? __builtin_infl() : std::ceil(need.layers / each);
    };
    real ranks = __builtin_infl(), gpus = ranks, best = ranks;
    for (std::int64_t t = need.node; t > 0; --t) {
        if (need.hidden % t) continue;
        if (room * t >= total) ranks = t;
        if (stages(t) * t <= gpus && stages(t) * t < __builtin_infl()) {
            gpus = stages(t) * t;
            best = t;
        }
    }
    return {d(matrix), d(total), d(std::ceil(total / room)), d(stages(1)), d(ranks), d(best), d(gpus)};
}

} // namespace memory
