// --here --device cuda: a GPU's peak by dtype and its memory's and its link's bandwidth, measured.
#ifndef ASSAY_ROOFLINE_MEASURE_GPU_HPP
#define ASSAY_ROOFLINE_MEASURE_GPU_HPP

#include "core/outcome.hpp"
#include "roofline/gpu.hpp"
#include "roofline/gpu_meter.hpp"

#include <cstdint>
#include <vector>

namespace assay::roofline {

struct GpuOptions {
    std::vector<Precision> precisions{Precision::fp32, Precision::tf32, Precision::fp16, Precision::bf16};
    double seconds = 10; // of running work, all together; laying it out comes on top
};

struct GpuProduct {
    Precision precision = Precision::fp32;
    std::int64_t size = 0; // n, the fastest of those tried; 0 = none was
    GpuRate rate;
};

struct GpuTransfer {
    Transfer transfer = Transfer::copy;
    std::int64_t bytes = 0; // of one buffer
    GpuRate rate;           // copy: bytes read and bytes written, added up
};

struct GpuReport {
    GpuFacts facts;
    std::int64_t free_bytes = 0; // before measuring
    std::vector<GpuProduct> products;
    std::vector<GpuTransfer> transfers;

    /// Of device memory, by the copy; 0 = refused.
    double bandwidth() const;
    /// FLOP per byte above which memory no longer binds; 0 where either is refused.
    double ridge(const GpuProduct& product) const;
};

/// Failure: nothing at all could be measured, or the device failed; one sentence.
Outcome<GpuReport> measure_gpu(Gpu& gpu, const GpuOptions& options);

} // namespace assay::roofline

#endif
