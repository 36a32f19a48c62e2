// CUDA's driver and cuBLAS, opened at run time: nothing of ours is linked with them, so that one program serves
// machines with and without. The declarations are of the C ABI alone: handles are pointers, enumerations are int,
// CUdeviceptr is a 64-bit number; tests/roofline/test_cuda_abi.cpp holds them against cuda.h and cublas_v2.h where a
// toolkit is.
#ifndef ASSAY_ROOFLINE_CUDA_LIBRARIES_HPP
#define ASSAY_ROOFLINE_CUDA_LIBRARIES_HPP

#include "core/outcome.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace assay::roofline {

/// cuda.h's numbers.
namespace cuda {
constexpr int success = 0, out_of_memory = 2, device_unavailable = 46;         // CUresult
constexpr int processors = 16, l2_bytes = 38, major = 75, minor = 76;          // CUdevice_attribute
constexpr unsigned own_stream = 1;                                             // CU_STREAM_NON_BLOCKING
constexpr int fp32 = 0, fp16 = 2, bf16 = 14;                                   // cudaDataType
constexpr int multiply_fp32 = 68, multiply_only_fp32 = 69, multiply_tf32 = 77; // cublasComputeType_t
constexpr int as_it_lies = 0, transposed = 1;                                  // cublasOperation_t
constexpr int any_algorithm = -1;                                              // cublasGemmAlgo_t
constexpr int blas_not_initialised = 1, blas_alloc_failed = 3, blas_arch = 8, blas_unsupported = 15; // cublasStatus_t
} // namespace cuda

/// libcuda.so.1. The members are named after the functions less "cu"; what cuda.h renames (_v2) is opened by its new
/// name. cuEventElapsedTime is the old one, which CUDA 13's driver still has.
struct CudaDriver {
    using Address = unsigned long long; // CUdeviceptr
    int (*init)(unsigned) = nullptr;
    int (*driver_version)(int*) = nullptr;
    int (*error_name)(int, const char**) = nullptr;
    int (*device_count)(int*) = nullptr;
    int (*device)(int*, int) = nullptr;
    int (*device_name)(char*, int, int) = nullptr;
    int (*device_attribute)(int*, int, int) = nullptr;
    int (*device_memory)(std::size_t*, int) = nullptr;
    int (*context_retain)(void**, int) = nullptr; // the primary one, which cuBLAS's own runtime takes too
    int (*context_release)(int) = nullptr;
    int (*context_set)(void*) = nullptr;
    int (*memory_info)(std::size_t*, std::size_t*) = nullptr;
    int (*allocate)(Address*, std::size_t) = nullptr;
    int (*free)(Address) = nullptr;
    int (*allocate_host)(void**, std::size_t, unsigned) = nullptr;
    int (*free_host)(void*) = nullptr;
    int (*to_device)(Address, const void*, std::size_t, void*) = nullptr;
    int (*from_device)(void*, Address, std::size_t, void*) = nullptr;
    int (*copy)(Address, Address, std::size_t, void*) = nullptr;
    int (*set)(Address, unsigned, std::size_t, void*) = nullptr; // 32-bit words, counted in words
    int (*stream_create)(void**, unsigned) = nullptr;
    int (*stream_destroy)(void*) = nullptr;
    int (*stream_wait)(void*) = nullptr;
    int (*event_create)(void**, unsigned) = nullptr;
    int (*event_destroy)(void*) = nullptr;
    int (*event_record)(void*, void*) = nullptr;
    int (*event_wait)(void*) = nullptr;
    int (*event_elapsed)(float*, void*, void*) = nullptr; // milliseconds

    int version = 0; // of the newest CUDA that it runs: 13000 for 13.0
};

struct Cublas {
    int (*create)(void**) = nullptr;
    int (*destroy)(void*) = nullptr;
    int (*version_of)(void*, int*) = nullptr;
    int (*set_stream)(void*, void*) = nullptr;
    int (*gemm)(void*, int, int, int, int, int, const void*, const void*, int, int, const void*, int, int, const void*,
                void*, int, int, int, int) = nullptr; // cublasGemmEx

    std::filesystem::path library;
    int major = 0; // CUDA's that it belongs to
};

/// Where cuBLAS is looked for.
struct CublasPlaces {
    std::string stem = "libcublas.so.";         // which a major follows
    std::vector<std::filesystem::path> folders; // after where the system looks, LD_LIBRARY_PATH first
};

/// CUDA's majors whose cuBLAS is known to have this ABI: cublasGemmEx took a data type for its compute type before 11.
constexpr int newest_cublas = 13, oldest_cublas = 11;

/// Starts the driver. Failure (SKIP): there is none, or it does not start. Both libraries stay until the end: CUDA's
/// threads do not survive their leaving.
Outcome<CudaDriver> open_driver(const std::string& library = "libcuda.so.1");

/// The newest that a driver of that version runs. Failure (SKIP): one sentence.
Outcome<Cublas> open_cublas(const CublasPlaces& places, int driver_version);

} // namespace assay::roofline

#endif
