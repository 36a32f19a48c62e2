// One contract call of a CUDA attempt, run several times over: in other orders of threads, and with other rubbish in
// memory that nobody wrote. What hangs on either is a fault, and told as one. Linked into every CUDA attempt:
// device_runs.cpp into emulated ones, device_runs_gpu.cpp into those that run on a device.
#ifndef ASSAY_WORKER_DEVICE_RUNS_HPP
#define ASSAY_WORKER_DEVICE_RUNS_HPP

#include "worker/device_errors.hpp"
#include "worker/device_tensor.hpp"

#include <cuda_runtime.h>

#include <cstddef>
#include <vector>

namespace assay {

class DeviceRuns {
  public:
    explicit DeviceRuns(std::vector<DeviceTensor> tensors);
    ~DeviceRuns();
    DeviceRuns(const DeviceRuns&) = delete;
    DeviceRuns& operator=(const DeviceRuns&) = delete;

    /// Makes everything as it was before the first run, and closes the tensors' memory to host code: a touch is a crash
    /// there. False when there have been enough. Where calls are timed on a device, its last act is to begin the call's
    /// turn, and finish()'s first to end it.
    bool next();
    /// After each: throws device_fault for errors that were left, for what CUDA leaves undefined, and where the run
    /// came out otherwise than the first one by more than the order of a sum explains.
    void finish();
    /// In place of finish(), while an exception of the attempt's is handled: throws device_fault where more is known of
    /// its cause.
    void failed() const;

    cudaStream_t stream() const;

    /// Where kernels find the element of a tensor that the judge has at `data`.
    unsigned char* place(const void* data) const;

  private:
    using Bytes = std::vector<unsigned char>;
    std::vector<DeviceTensor> tensors_;
    std::vector<Bytes> before_, first_; // of each tensor: before the call; after the first run
    std::vector<std::size_t> unfreed_;  // allocations after each run
    std::vector<std::size_t> offsets_;  // on a real device: of each tensor from the arena's start, in this run
    std::size_t run_ = 0;

    void hand_over_outputs() const; // on a real device
    void look_at_findings() const;
    void look_for_leak() const;
    void compare() const;
};

} // namespace assay

#endif
