// The time of one call on a device: events on the stream that it is given, and the host's clock until the whole device
// is done, so that no other stream hides work. The judge's own clock runs around both (device_turns.hpp).
#ifndef ASSAY_WORKER_DEVICE_CLOCK_HPP
#define ASSAY_WORKER_DEVICE_CLOCK_HPP

#include <cuda_runtime.h>

#include <cstddef>

namespace assay {

class DeviceClock {
  public:
    /// This process's; null where its calls are not timed. Throws device_unavailable.
    static DeviceClock* at_hand();

    /// Makes the device as every timed call finds it: idle and awake, nothing of the call's in its L2 cache, no part of
    /// that set aside.
    void prepare();

    /// The attempt's call goes between these two. stop() waits for the whole device and gives what that says.
    void start(cudaStream_t stream);
    cudaError_t stop(cudaStream_t stream);

    /// Tells the judge that the turn is over: the results lie before it then. Throws device_fault where the events are
    /// gone.
    void tell();

  private:
    DeviceClock();

    cudaStream_t own_ = nullptr;
    cudaEvent_t before_ = nullptr, after_ = nullptr;
    void* flushed_ = nullptr;
    std::size_t flush_bytes_ = 0;
    bool sets_aside_ = false; // the device can set a part of L2 aside
    int flushes_ = 0;
    double begun_ = 0, host_ = 0; // seconds
    cudaError_t recorded_ = cudaSuccess;
};

} // namespace assay

#endif
