// What goes wrong on a device, and whose fault it is.
#ifndef ASSAY_WORKER_DEVICE_ERRORS_HPP
#define ASSAY_WORKER_DEVICE_ERRORS_HPP

#include <cuda_runtime.h>

#include <stdexcept>
#include <string>

namespace assay {

/// What a CUDA attempt does wrong that is no wrong value. The judge tells its text as it stands.
struct device_fault : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// What keeps the device from being asked at all: no fault of the attempt's, as far as anybody knows.
struct device_unavailable : std::runtime_error {
    using std::runtime_error::runtime_error;
};

inline std::string told(cudaError_t error) {
    return std::string(cudaGetErrorName(error)) + " (" + cudaGetErrorString(error) + ")";
}

/// Of our own calls before the attempt's: it is not to blame for what they answer.
inline void must(cudaError_t error, const char* what) {
    if (error == cudaSuccess) return;
    throw device_unavailable(std::string("the GPU could not be ") + what + ": " + told(error) +
                             "; assay doctor shows what is here, --device emulated does without it");
}

/// Of our own calls after it, which would have been answered before.
inline void must_still(cudaError_t error, const char* what) {
    if (error == cudaSuccess) return;
    throw device_fault(std::string("after the call, ") + what + ": " + told(error) +
                       "; an attempt may not reset the device, nor destroy the stream that it is given");
}

} // namespace assay

#endif
