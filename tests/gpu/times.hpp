// What a run on a GPU measures.
#ifndef ASSAY_TESTS_GPU_TIMES_HPP
#define ASSAY_TESTS_GPU_TIMES_HPP

#include <string>
#include <vector>

namespace assay::gpu {

/// One kernel at one size. Times are of events around it, each with fresh inputs and a flushed L2 cache.
struct Time {
    std::string what;                             // "half d 128 causal", "softmax_forward 2"
    int length = 0;                               // queries and keys; 0: not attention
    double milliseconds = 0, least = 0, most = 0; // median and extremes of `samples`
    int samples = 0;
    double flop = 0, bytes = 0; // counted once; bytes read and written once
    double off = 0;             // largest error/bound of the sampled outputs of all timed runs
    double torch = 0;           // milliseconds of torch beside it; 0: not measured
};

struct Peaks {
    double gemm = 0; // FLOP/s of cuBLAS on half with float32 sums, 8192 x 8192 x 8192; 0: no cuBLAS
    double copy = 0; // bytes/s read and written by a copy on the device, 1 GiB
};

Peaks measure_peaks();
/// sdpa_forward_16 for d of 64 and 128, 8 heads, 1024 to 16384 keys, 16384 queries in all, causal and not.
std::vector<Time> measure_attention(int samples);
/// Kernels that memory bounds, at sizes far beyond the L2 cache.
std::vector<Time> measure_rows(int samples);

} // namespace assay::gpu

#endif
