// Wrong: elements counted in 64 bits, which wrap (written so that the wrapping is defined).
// Level: forward
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
    return static_cast<double>(
               static_cast<std::int64_t>(static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(columns))) *
           static_cast<double>(bits) / 8;
}

bool in_range(const product& p) { return all_at_least(0, {p.m, p.k, p.n}) && p.bits >= 1; }

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

} // namespace memory
