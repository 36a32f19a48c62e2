// One head; the table is per head.
// Level: costs
#include "contract.hpp"

#include <algorithm>

namespace long_attention {

cost cost_of(method how, setup s) {
    if (std::min({s.tokens, s.heads, s.head_dim, s.element_bytes}) < 1) return {};
    if (how == method::blockwise && (s.block < 1 || s.tokens % s.block != 0)) return {};
    if (how == method::window && s.window < 1) return {};
    if (how == method::low_rank && s.rank < 1) return {};
    if (how == method::random_features && s.features < 1) return {};
    const double L = double(s.tokens), H = 1, D = double(s.head_dim);
    double pairs = 0, prepare = 0, scores = 0, values = 0, exps = 0, elements = 0, live = 0;
    if (how == method::naive) {
        pairs = L * L;
        exps = pairs;
        elements = 4 * L * D + 4 * L * L;
        live = 2 * L * L;
    } else if (how == method::blockwise) {
        const double B = double(s.block), n = L / B;
        const double blocks = n * (n + 1) / 2;
        pairs = blocks * B * B;
        exps = pairs + blocks * B;
        elements = 2 * L * D + 2 * B * D * blocks;
        live = B * B + B * D + 2 * B;
    } else if (how == method::window) {
        const double w = std::min(double(s.window), L);
        pairs = w * L - w * (w - 1) / 2;
        exps = pairs;
        elements = 4 * L * D;
        live = w * (2 * D + 1);
    } else if (how == method::low_rank) {
        const double r = double(s.rank);
        prepare = 2 * 2 * L * r * D;
        pairs = L * r;
        exps = pairs;
        elements = 4 * L * D + 2 * L * r + 4 * r * D;
        live = 2 * r * D + r;
    } else {
        const bool random = how == method::random_features;
        const double m = random ? double(s.features) : D;
        if (random) prepare = 2 * L * (2 * D * m + 2 * D);
        scores = L * (2 * m * D + m);
        values = L * (2 * m * D + 2 * m);
        exps = 2 * L * m;
        elements = 4 * L * D + (random ? m * D : 0);
        live = m * D + m + 2 * m;
    }
    if (how != method::linear && how != method::random_features) scores = values = 2 * D * pairs;
    cost c;
    c.pairs = H * pairs;
    c.flops_prepare = H * prepare;
    c.flops_scores = H * scores;
    c.flops_values = H * values;
    c.flops = c.flops_prepare + c.flops_scores + c.flops_values;
    c.exps = H * exps;
    c.bytes = H * double(s.element_bytes) * elements;
    c.peak = H * double(s.element_bytes) * live;
    c.intensity = c.flops / c.bytes;
    return c;
}

} // namespace long_attention
