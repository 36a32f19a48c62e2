// Wrong: X is split whenever W is.
// Level: split-matmul
#include "contract.hpp"

#include <algorithm>
#include <initializer_list>

namespace memory {

namespace {

bool all_at_least(std::int64_t least, std::initializer_list<std::int64_t> counts) {
    return std::all_of(counts.begin(), counts.end(), [&](std::int64_t count) { return count >= least; });
}

/// Bytes of a (rows, columns) matrix.
double bytes(std::int64_t rows, std::int64_t columns, std::int64_t bits) {
    return static_cast<double>(rows) * static_cast<double>(columns) * static_cast<double>(bits) / 8;
}

bool in_range(const product& p) { return all_at_least(0, {p.m, p.k, p.n}) && p.bits >= 1; }

} // namespace

share_bytes split_matmul(product p, split by, std::int64_t gpus) {
    if (!in_range(p) || gpus < 1) return {};
    const auto g = static_cast<double>(gpus);
    const double y = bytes(p.m, p.n, p.bits), round = (g - 1) / g * y;
    share_bytes r;
    r.x = bytes(p.m, p.k, p.bits) / (by == split::pipeline ? 1 : g);
    r.w = bytes(p.k, p.n, p.bits) / (by == split::pipeline ? 1 : g);
    r.y = y / (by == split::column ? g : 1);
    r.total = r.x + r.w + r.y;
    r.sent = by == split::column ? round : by == split::row ? 2 * round : gpus > 1 ? y : 0;
    return r;
}

} // namespace memory
