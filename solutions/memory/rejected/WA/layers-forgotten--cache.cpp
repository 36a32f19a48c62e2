// Wrong: the cache of one layer.
// Level: kv-cache
#include "contract.hpp"

#include <algorithm>
#include <initializer_list>

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

bool divides(std::int64_t part, std::int64_t whole) { return whole % part == 0; }

} // namespace

cache_bytes kv_cache(cache c) {
    if (!all_at_least(1, {c.d_model, c.heads, c.kv_heads, c.head_dim, c.bits}) ||
        !all_at_least(0, {c.layers, c.batch, c.tokens}) || !divides(c.kv_heads, c.heads))
        return {};
    cache_bytes r;
    r.token_in_layer = 2 * bytes(c.kv_heads, c.head_dim, c.bits);
    r.token = r.token_in_layer;
    r.sequence = static_cast<double>(c.tokens) * r.token;
    r.total = static_cast<double>(c.batch) * r.sequence;
    r.total_gib = r.total / gib;
    return r;
}

} // namespace memory
