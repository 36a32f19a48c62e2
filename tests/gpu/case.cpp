// A stream that the launches must name: what waits for it alone would miss a kernel on another.
#include "case.hpp"
#include "checked.hpp"

namespace assay::gpu {

namespace {

struct Stream {
    cudaStream_t stream = nullptr;
    Stream() { kernels::checked(cudaStreamCreate(&stream), "a stream"); }
    ~Stream() { static_cast<void>(cudaStreamDestroy(stream)); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
};

} // namespace

Outcome on_a_stream(const Case& one) { return one.run(Stream().stream); }

} // namespace assay::gpu
