// The order of blocks.
#include "lane_order.hpp"

#include <numeric>

namespace assay::simt {

__extension__ using wide = unsigned __int128;

std::uint64_t LaneOrder::block(std::uint64_t i, std::uint64_t count) const {
    if (seed_ == 0) return i;
    LaneOrder draw(seed_);
    const std::uint64_t offset = draw.next() % count;
    std::uint64_t factor = draw.next() % count | 1; // small enough: a grid has fewer than 2^63 blocks
    while (std::gcd(factor, count) != 1) factor += 2;
    return static_cast<std::uint64_t>((static_cast<wide>(i) * factor + offset) % count);
}

} // namespace assay::simt
