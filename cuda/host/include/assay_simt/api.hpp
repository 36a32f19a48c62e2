// The runtime API as far as exercises need it. Device memory is host memory, and every call is complete when it
// returns.
#ifndef ASSAY_SIMT_API_HPP
#define ASSAY_SIMT_API_HPP

#include "abi.hpp"

enum cudaError {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInvalidConfiguration = 9,
    cudaErrorInvalidSymbol = 13,
    cudaErrorInvalidMemcpyDirection = 21,
    cudaErrorInvalidDeviceFunction = 98,
    cudaErrorNoDevice = 100,
    cudaErrorInvalidDevice = 101,
    cudaErrorUnsupportedLimit = 215,
    cudaErrorInvalidResourceHandle = 400,
    cudaErrorNotReady = 600,
    cudaErrorIllegalAddress = 700,
    cudaErrorLaunchOutOfResources = 701,
    cudaErrorLaunchTimeout = 702,
    cudaErrorAssert = 710,
    cudaErrorLaunchFailure = 719,
    cudaErrorNotSupported = 801,
    cudaErrorUnknown = 999,
};
using cudaError_t = cudaError;

enum cudaMemcpyKind {
    cudaMemcpyHostToHost = 0,
    cudaMemcpyHostToDevice = 1,
    cudaMemcpyDeviceToHost = 2,
    cudaMemcpyDeviceToDevice = 3,
    cudaMemcpyDefault = 4,
};

struct CUstream_st;
struct CUevent_st;
using cudaStream_t = CUstream_st*;
using cudaEvent_t = CUevent_st*;
inline constexpr unsigned cudaStreamDefault = 0, cudaStreamNonBlocking = 1;
inline constexpr unsigned cudaEventDefault = 0, cudaEventBlockingSync = 1, cudaEventDisableTiming = 2;
inline constexpr unsigned cudaMemAttachGlobal = 1, cudaHostAllocDefault = 0;
#define cudaStreamLegacy (static_cast<cudaStream_t>(nullptr))
#define cudaStreamPerThread (static_cast<cudaStream_t>(nullptr))

cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char* cudaGetErrorName(cudaError_t error);
const char* cudaGetErrorString(cudaError_t error);

cudaError_t cudaMalloc(void** pointer, std::size_t bytes);
cudaError_t cudaFree(void* pointer);
cudaError_t cudaMallocHost(void** pointer, std::size_t bytes, unsigned flags = 0);
cudaError_t cudaFreeHost(void* pointer);
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                         std::size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemset(void* pointer, int value, std::size_t bytes);
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total);

cudaError_t cudaStreamCreate(cudaStream_t* stream);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaEventCreate(cudaEvent_t* event);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
/// Milliseconds of this computer's clock.
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t from, cudaEvent_t to);

cudaError_t cudaDeviceSynchronize();
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDeviceCount(int* count);

enum cudaLimit {
    cudaLimitStackSize = 0,
    cudaLimitPrintfFifoSize = 1,
    cudaLimitMallocHeapSize = 2,
    cudaLimitPersistingL2CacheSize = 6,
};
/// Remembered; nothing here has a cache, or a stack of the device's own.
cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value);
cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit);
cudaError_t cudaCtxResetPersistingL2Cache();

enum cudaDeviceAttr {
    cudaDevAttrMaxThreadsPerBlock = 1,
    cudaDevAttrMaxSharedMemoryPerBlock = 8,
    cudaDevAttrWarpSize = 10,
    cudaDevAttrMultiProcessorCount = 16,
    cudaDevAttrL2CacheSize = 38,
    cudaDevAttrMaxThreadsPerMultiProcessor = 39,
    cudaDevAttrComputeCapabilityMajor = 75,
    cudaDevAttrComputeCapabilityMinor = 76,
    cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
    cudaDevAttrMaxPersistingL2CacheSize = 108,
};
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);

struct cudaDeviceProp {
    char name[256];
    std::size_t totalGlobalMem, sharedMemPerBlock, sharedMemPerBlockOptin, sharedMemPerMultiprocessor, totalConstMem;
    int regsPerBlock, warpSize, maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], major, minor;
    int multiProcessorCount, maxThreadsPerMultiProcessor, l2CacheSize, persistingL2CacheMaxSize;
};
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device);

enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9,
};

namespace assay::simt {
/// Which kernel `call` is: it runs with launches answered by noting who asked.
using Identity = void (*)(const void*);
Identity identify(void (*call)(void*), void* context);
cudaError_t set_attribute(Identity kernel, cudaFuncAttribute attribute, int value);
cudaError_t copy_to_symbol(void* symbol, std::size_t size, const void* from, std::size_t bytes, std::size_t offset);
cudaError_t copy_from_symbol(void* to, const void* symbol, std::size_t size, std::size_t bytes, std::size_t offset);

template <class T> struct Zeroed { // an argument to a kernel that will not run
    alignas(T) unsigned char bytes[sizeof(T)] = {};
    T& value() { return *reinterpret_cast<T*>(bytes); }
};
template <class... P> Identity identify_kernel(void (*kernel)(P...)) {
    return identify([](void* function) { (*static_cast<void (**)(P...)>(function))(Zeroed<P>{}.value()...); }, &kernel);
}
} // namespace assay::simt

template <class... P> cudaError_t cudaFuncSetAttribute(void (*kernel)(P...), cudaFuncAttribute attribute, int value) {
    return ::assay::simt::set_attribute(::assay::simt::identify_kernel(kernel), attribute, value);
}
cudaError_t cudaFuncSetAttribute(const void*, cudaFuncAttribute, int) __attribute__((
    error("the CPU emulation of CUDA needs the kernel itself in cudaFuncSetAttribute, not a pointer to void")));

template <class T> cudaError_t cudaMalloc(T** pointer, std::size_t bytes) {
    return cudaMalloc(reinterpret_cast<void**>(pointer), bytes);
}
template <class T> cudaError_t cudaMallocHost(T** pointer, std::size_t bytes, unsigned flags = 0) {
    return cudaMallocHost(reinterpret_cast<void**>(pointer), bytes, flags);
}
template <class T> cudaError_t cudaHostAlloc(T** pointer, std::size_t bytes, unsigned flags) {
    return cudaMallocHost(reinterpret_cast<void**>(pointer), bytes, flags);
}
template <class T> cudaError_t cudaMallocManaged(T** pointer, std::size_t bytes, unsigned = cudaMemAttachGlobal) {
    return cudaMalloc(reinterpret_cast<void**>(pointer), bytes);
}
template <class T> cudaError_t cudaMallocAsync(T** pointer, std::size_t bytes, cudaStream_t stream) {
    if (const cudaError_t error = cudaStreamSynchronize(stream); error != cudaSuccess) return error;
    return cudaMalloc(reinterpret_cast<void**>(pointer), bytes);
}
inline cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
    if (const cudaError_t error = cudaStreamSynchronize(stream); error != cudaSuccess) return error;
    return cudaFree(pointer);
}
inline cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                                   cudaStream_t stream = nullptr) {
    if (const cudaError_t error = cudaStreamSynchronize(stream); error != cudaSuccess) return error;
    return cudaMemcpy(to, from, bytes, kind);
}
inline cudaError_t cudaMemsetAsync(void* pointer, int value, std::size_t bytes, cudaStream_t stream = nullptr) {
    if (const cudaError_t error = cudaStreamSynchronize(stream); error != cudaSuccess) return error;
    return cudaMemset(pointer, value, bytes);
}
template <class T> cudaError_t cudaMemcpyToSymbol(T& symbol, const void* from, std::size_t bytes,
                                                  std::size_t offset = 0, cudaMemcpyKind = cudaMemcpyHostToDevice) {
    return ::assay::simt::copy_to_symbol(&symbol, sizeof symbol, from, bytes, offset);
}
template <class T> cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, std::size_t bytes,
                                                    std::size_t offset = 0, cudaMemcpyKind = cudaMemcpyDeviceToHost) {
    return ::assay::simt::copy_from_symbol(to, &symbol, sizeof symbol, bytes, offset);
}
template <class T> cudaError_t cudaGetSymbolAddress(void** pointer, T& symbol) {
    *pointer = const_cast<void*>(static_cast<const volatile void*>(&symbol));
    return cudaSuccess;
}
inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) { return cudaStreamCreate(stream); }
inline cudaError_t cudaStreamQuery(cudaStream_t stream) { return cudaStreamSynchronize(stream); }
inline cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned = 0) {
    if (const cudaError_t error = cudaEventSynchronize(event); error != cudaSuccess) return error;
    return cudaStreamSynchronize(stream);
}
inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) { return cudaEventCreate(event); }
inline cudaError_t cudaEventQuery(cudaEvent_t event) { return cudaEventSynchronize(event); }

cudaError_t cudaLaunchKernel(const void*, dim3, dim3, void**, std::size_t, cudaStream_t) __attribute__((
    error("the CPU emulation of CUDA launches by kernel<<<grid, block>>>(...), not by cudaLaunchKernel")));
cudaError_t cudaLaunchCooperativeKernel(const void*, dim3, dim3, void**, std::size_t, cudaStream_t) __attribute__((
    error("the CPU emulation of CUDA runs blocks one after another: a grid cannot wait for itself, so there is no "
          "cudaLaunchCooperativeKernel")));

#endif
