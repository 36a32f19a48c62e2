// The layer run for real at a small size, with everything counted: FLOPs, elements that pass through memory, elements
// sent. No formula of the oracle's.
#ifndef ASSAY_TESTS_ROOFLINE_COUNTED_HPP
#define ASSAY_TESTS_ROOFLINE_COUNTED_HPP

#include <cstdint>

namespace assay::roofline_test {

/// What one GPU of a group does.
struct Counted {
    std::int64_t flops = 0;   // in its matmuls
    std::int64_t weights = 0; // elements read
    std::int64_t edges = 0;   // elements of x and y, read and written
    std::int64_t hiddens = 0; // elements of g and h, read and written
};

/// Runs T x d x (columns of one GPU) with loops, kernel by kernel.
Counted run_layer(int tokens, int d, int columns, bool gated, bool fused);

struct Sent {
    std::int64_t elements = 0, steps = 0;
    bool sums_right = false; // every GPU ends with the sum over all
};

/// All-reduces n tensors of n chunks of `chunk` elements, passing chunks round; what each GPU sent.
Sent run_ring(int n, int chunk);
/// The same by a switch that adds up.
Sent run_switch(int n, int chunk);

} // namespace assay::roofline_test

#endif
