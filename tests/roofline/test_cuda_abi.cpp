// What we declare of CUDA, held against its own headers and its own library, where a toolkit is installed.
#include "catch.hpp"
#include "roofline/cuda_libraries.hpp"

#include <type_traits>

#if __has_include(<cublas_v2.h>) && __has_include(<cuda.h>)
#include <cublas_v2.h>
#include <cuda.h>
#define ASSAY_CUDA_HEADERS
#endif

using namespace assay::roofline;

#ifdef ASSAY_CUDA_HEADERS

namespace {

/// The same register or stack slot, read in the same way: pointers for pointers, numbers of the same size for numbers.
template <class Ours, class Theirs>
constexpr bool alike = sizeof(Ours) == sizeof(Theirs) && std::is_pointer_v<Ours> == std::is_pointer_v<Theirs>;

template <class... Ours, class... Theirs> constexpr bool same_abi(int (*)(Ours...), cublasStatus_t (*)(Theirs...)) {
    if constexpr (sizeof...(Ours) == sizeof...(Theirs))
        return sizeof(cublasStatus_t) == sizeof(int) && (alike<Ours, Theirs> && ...);
    return false;
}

template <class... Ours, class... Theirs> constexpr bool same_abi(int (*)(Ours...), CUresult (*)(Theirs...)) {
    if constexpr (sizeof...(Ours) == sizeof...(Theirs))
        return sizeof(CUresult) == sizeof(int) && (alike<Ours, Theirs> && ...);
    return false;
}

/// By declaration alone: no function of CUDA's is linked here.
#define SAME(member, function) static_assert(same_abi(decltype(member){}, static_cast<decltype(&function)>(nullptr)))

SAME(CudaDriver::init, cuInit);
SAME(CudaDriver::driver_version, cuDriverGetVersion);
SAME(CudaDriver::error_name, cuGetErrorName);
SAME(CudaDriver::device_count, cuDeviceGetCount);
SAME(CudaDriver::device, cuDeviceGet);
SAME(CudaDriver::device_name, cuDeviceGetName);
SAME(CudaDriver::device_attribute, cuDeviceGetAttribute);
SAME(CudaDriver::device_memory, cuDeviceTotalMem);
SAME(CudaDriver::context_retain, cuDevicePrimaryCtxRetain);
SAME(CudaDriver::context_release, cuDevicePrimaryCtxRelease);
SAME(CudaDriver::context_set, cuCtxSetCurrent);
SAME(CudaDriver::memory_info, cuMemGetInfo);
SAME(CudaDriver::allocate, cuMemAlloc);
SAME(CudaDriver::free, cuMemFree);
SAME(CudaDriver::allocate_host, cuMemHostAlloc);
SAME(CudaDriver::free_host, cuMemFreeHost);
SAME(CudaDriver::to_device, cuMemcpyHtoDAsync);
SAME(CudaDriver::from_device, cuMemcpyDtoHAsync);
SAME(CudaDriver::copy, cuMemcpyDtoDAsync);
SAME(CudaDriver::set, cuMemsetD32Async);
SAME(CudaDriver::stream_create, cuStreamCreate);
SAME(CudaDriver::stream_destroy, cuStreamDestroy);
SAME(CudaDriver::stream_wait, cuStreamSynchronize);
SAME(CudaDriver::event_create, cuEventCreate);
SAME(CudaDriver::event_destroy, cuEventDestroy);
SAME(CudaDriver::event_record, cuEventRecord);
SAME(CudaDriver::event_wait, cuEventSynchronize);
SAME(CudaDriver::event_elapsed, cuEventElapsedTime);
SAME(Cublas::create, cublasCreate);
SAME(Cublas::destroy, cublasDestroy);
SAME(Cublas::version_of, cublasGetVersion);
SAME(Cublas::set_stream, cublasSetStream);

// C++ has a second cublasGemmEx, for callers of CUDA 10: the library's is the one with a compute type.
using GemmEx = cublasStatus_t (*)(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const void*,
                                  const void*, cudaDataType, int, const void*, cudaDataType, int, const void*, void*,
                                  cudaDataType, int, cublasComputeType_t, cublasGemmAlgo_t);
static_assert(same_abi(decltype(Cublas::gemm){}, static_cast<GemmEx>(nullptr)));

static_assert(cuda::success == CUDA_SUCCESS && cuda::out_of_memory == CUDA_ERROR_OUT_OF_MEMORY);
static_assert(cuda::device_unavailable == CUDA_ERROR_DEVICE_UNAVAILABLE);
static_assert(cuda::processors == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
static_assert(cuda::l2_bytes == CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
static_assert(cuda::major == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
static_assert(cuda::minor == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
static_assert(cuda::own_stream == CU_STREAM_NON_BLOCKING);
static_assert(cuda::fp32 == CUDA_R_32F && cuda::fp16 == CUDA_R_16F && cuda::bf16 == CUDA_R_16BF);
static_assert(cuda::multiply_fp32 == CUBLAS_COMPUTE_32F && cuda::multiply_only_fp32 == CUBLAS_COMPUTE_32F_PEDANTIC);
static_assert(cuda::multiply_tf32 == CUBLAS_COMPUTE_32F_FAST_TF32);
static_assert(cuda::as_it_lies == CUBLAS_OP_N && cuda::transposed == CUBLAS_OP_T);
static_assert(cuda::any_algorithm == CUBLAS_GEMM_DEFAULT);
static_assert(cuda::blas_not_initialised == CUBLAS_STATUS_NOT_INITIALIZED);
static_assert(cuda::blas_alloc_failed == CUBLAS_STATUS_ALLOC_FAILED && cuda::blas_arch == CUBLAS_STATUS_ARCH_MISMATCH);
static_assert(cuda::blas_unsupported == CUBLAS_STATUS_NOT_SUPPORTED);

} // namespace

#endif

TEST_CASE("the cuBLAS of this machine, where there is one, has the functions that are used", "[cuda]") {
    const auto blas = open_cublas({"libcublas.so.", {"/usr/local/cuda/lib64"}}, newest_cublas * 1000);
    if (blas) {
        CHECK(blas->gemm != nullptr);
        CHECK(blas->library.filename().native().rfind("libcublas.so.", 0) == 0);
    } else { // none, never one that lacks something
        CHECK(blas.failure().reason.find("there is no cuBLAS (libcublas.so.11 to 13) here") == 0);
    }
}
