// Wrong: the scores of one head.
// Level: activations
#include "contract.hpp"

#include <algorithm>
#include <initializer_list>

namespace memory {

namespace {

constexpr double gib = 1 << 30;

bool all_at_least(std::int64_t least, std::initializer_list<std::int64_t> counts) {
    return std::all_of(counts.begin(), counts.end(), [&](std::int64_t count) { return count >= least; });
}

} // namespace

activation_bytes activations(stack blocks, bool dropout, recompute recomputed) {
    if (!all_at_least(1, {blocks.d_model, blocks.heads}) ||
        !all_at_least(0, {blocks.layers, blocks.batch, blocks.sequence}))
        return {};
    const auto s = static_cast<double>(blocks.sequence);
    const double sb = s * static_cast<double>(blocks.batch), sbh = sb * static_cast<double>(blocks.d_model);
    activation_bytes r;
    r.attention = (dropout ? 11 : 10) * sbh;
    r.scores = (dropout ? 5 : 2) * s * sb;
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

} // namespace memory
