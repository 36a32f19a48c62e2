// Wrong: the gradient that comes in is not counted.
// Level: backward
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

bool in_range(const product& p) { return all_at_least(0, {p.m, p.k, p.n}) && p.bits >= 1; }

} // namespace

backward_bytes backward(product p, liveness policy, bool dx_first) {
    if (!in_range(p)) return {};
    const double x = bytes(p.m, p.k, p.bits), w = bytes(p.k, p.n, p.bits), y = bytes(p.m, p.n, p.bits);
    const double dx = x, dw = w;
    const double begin = x + w + (policy == liveness::keep_all ? y : 0);
    const double freed_x = policy == liveness::free_x ? x : 0; // once dW is there
    backward_bytes r;
    r.while_dw = begin + dw + (dx_first ? dx : 0);
    r.while_dx = begin + dx + (dx_first ? 0 : dw - freed_x);
    r.after = begin + dw + dx - freed_x;
    r.peak = std::max(r.while_dw, r.while_dx);
    r.peak_gib = r.peak / gib;
    return r;
}

} // namespace memory
