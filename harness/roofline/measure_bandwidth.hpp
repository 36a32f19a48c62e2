// Memory bandwidth: reading, STREAM's copy and STREAM's triad, a piece at a time through arrays larger than the caches.
#ifndef ASSAY_ROOFLINE_MEASURE_BANDWIDTH_HPP
#define ASSAY_ROOFLINE_MEASURE_BANDWIDTH_HPP

#include "roofline/buffer.hpp"
#include "roofline/kernels.hpp"
#include "roofline/threads.hpp"

#include <cstdint>

namespace assay::roofline {

/// Best rates seen, bytes/s. As STREAM counts them: copy 2 arrays, triad 3, without the reads that a cache makes of the
/// lines it is about to write. Reading has none of those, so that it is the one that a network at few tokens, which
/// reads its weights and writes almost nothing, can reach.
struct Bandwidth {
    double read = 0, copy = 0, triad = 0;
    double best() const;
};

class Memory {
  public:
    /// `bytes` of arrays in all, gone through `piece` bytes at a time; touched by `threads`, so that each page lies
    /// near one of them.
    Memory(const Kernels& kernels, Threads& threads, std::int64_t bytes, std::int64_t piece);

    /// The next three pieces, one by each of the three ways; `best` keeps the best rates. A piece is met again only
    /// after the rest of the arrays.
    void sample(Threads& threads, Bandwidth& best);
    std::int64_t bytes() const { return static_cast<std::int64_t>(all_.bytes()); }

  private:
    long next_piece();

    const Kernels& kernels_;
    long third_;  // floats in each of three arrays
    long piece_;  // floats of each array, at most a third of it
    long at_ = 0; // next piece
    Buffer all_;
};

} // namespace assay::roofline

#endif
