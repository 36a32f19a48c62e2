// A real GPU, by CUDA's driver and cuBLAS.
#ifndef ASSAY_ROOFLINE_CUDA_GPU_HPP
#define ASSAY_ROOFLINE_CUDA_GPU_HPP

#include "core/outcome.hpp"
#include "roofline/cuda_libraries.hpp"
#include "roofline/cuda_session.hpp"
#include "roofline/gpu.hpp"

#include <memory>

namespace assay::roofline {

/// CLOCK_MONOTONIC.
double monotonic_seconds();

/// The GPU of that number in the driver's order, which CUDA_VISIBLE_DEVICES has its say in. Its work must not outlive
/// it. Failure (SKIP): there is no such GPU, or it does not open; one sentence.
Outcome<std::unique_ptr<Gpu>> open_gpu(const CudaDriver& driver, const Cublas& blas, int ordinal,
                                       HostClock clock = monotonic_seconds);

} // namespace assay::roofline

#endif
