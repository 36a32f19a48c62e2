// Wrong: a negative extent is multiplied like any other.
// Level: forward
#include "contract.hpp"

namespace memory {

namespace {

constexpr double gib = 1 << 30;

/// Bytes of a (rows, columns) matrix.
double bytes(std::int64_t rows, std::int64_t columns, std::int64_t bits) {
    return static_cast<double>(rows) * static_cast<double>(columns) * static_cast<double>(bits) / 8;
}

} // namespace

forward_bytes forward(product p) {
    forward_bytes r;
    r.x = bytes(p.m, p.k, p.bits);
    r.w = bytes(p.k, p.n, p.bits);
    r.y = bytes(p.m, p.n, p.bits);
    r.total = r.x + r.w + r.y;
    r.total_gib = r.total / gib;
    return r;
}

} // namespace memory
