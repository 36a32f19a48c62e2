// Errors of CUDA calls and of callers, thrown as sentences.
#ifndef ASSAY_CUDA_KERNELS_CHECKED_HPP
#define ASSAY_CUDA_KERNELS_CHECKED_HPP

#include <cuda_runtime.h>

#include <stdexcept>
#include <string>

namespace assay::kernels {

/// Throws std::runtime_error where a call failed. After a launch: checked(cudaGetLastError(), "softmax_forward"), which
/// tells what was wrong with the launch; what a kernel did wrong comes with a later call.
inline void checked(cudaError_t error, const char* what) {
    if (error != cudaSuccess)
        throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error) + " (" + cudaGetErrorName(error) +
                                 ")");
}

/// Throws std::invalid_argument with the sentence where a caller asks for what is not there.
inline void require(bool met, const char* sentence) {
    if (!met) throw std::invalid_argument(sentence);
}

} // namespace assay::kernels

#endif
