// In which order threads and blocks run. CUDA promises none, so every order must give a right kernel's results.
#ifndef ASSAY_SIMT_LANE_ORDER_HPP
#define ASSAY_SIMT_LANE_ORDER_HPP

#include <cstdint>
#include <utility>
#include <vector>

namespace assay::simt {

/// Seed 0: as numbered. Odd seeds: all threads of a block shuffled anew between barriers. Even seeds: one warp runs as
/// far as it can before the next one starts, warps and lanes shuffled; both kinds find races that the other may miss.
class LaneOrder {
  public:
    explicit LaneOrder(std::uint64_t seed = 0) : seed_(seed), state_(seed) {}

    bool by_warp() const { return seed_ % 2 == 0; }

    template <class T> void shuffle(std::vector<T>& items) {
        if (seed_ == 0) return;
        for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[next() % i]);
    }

    /// One time in two.
    bool coin() { return (next() & 1) != 0; }

    /// The block that runs as number `i` of `count`: a permutation, i -> (i a + b) mod count.
    std::uint64_t block(std::uint64_t i, std::uint64_t count) const;

  private:
    std::uint64_t seed_, state_;

    /// splitmix64. Orders need no unbiased numbers.
    std::uint64_t next() {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
};

} // namespace assay::simt

#endif
