// Wrong: a negative batch is multiplied like any other.
// Level: kv-cache
#include "contract.hpp"

namespace memory {

namespace {

constexpr double gib = 1 << 30;

/// Bytes of a (rows, columns) matrix.
double bytes(std::int64_t rows, std::int64_t columns, std::int64_t bits) {
    return static_cast<double>(rows) * static_cast<double>(columns) * static_cast<double>(bits) / 8;
}

} // namespace

cache_bytes kv_cache(cache c) {
    cache_bytes r;
    r.token_in_layer = 2 * bytes(c.kv_heads, c.head_dim, c.bits);
    r.token = static_cast<double>(c.layers) * r.token_in_layer;
    r.sequence = static_cast<double>(c.tokens) * r.token;
    r.total = static_cast<double>(c.batch) * r.sequence;
    r.total_gib = r.total / gib;
    return r;
}

} // namespace memory
