// Wrong: as many key and value heads as query heads.
// Level: parameters
#include "contract.hpp"

#include <algorithm>
#include <initializer_list>

namespace memory {

namespace {

constexpr double gib = 1 << 30;

bool all_at_least(std::int64_t least, std::initializer_list<std::int64_t> counts) {
    return std::all_of(counts.begin(), counts.end(), [&](std::int64_t count) { return count >= least; });
}

bool divides(std::int64_t part, std::int64_t whole) { return whole % part == 0; }

} // namespace

parameter_count parameters(model net, std::int64_t bits) {
    if (!all_at_least(1, {net.d_model, net.heads, net.kv_heads, net.head_dim, bits}) ||
        !all_at_least(0, {net.layers, net.hidden, net.vocab, net.positions, net.norms}) ||
        !divides(net.kv_heads, net.heads))
        return {};
    const auto d = static_cast<double>(net.d_model), hidden = static_cast<double>(net.hidden),
               dim = static_cast<double>(net.head_dim);
    const double q = static_cast<double>(net.heads) * dim, kv = static_cast<double>(net.heads) * dim;
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

} // namespace memory
