// Errors, streams, events and what the device says of itself.
#include "device.hpp"

#include <algorithm>
#include <cstring>
#include <new>

using namespace assay::simt;

struct CUstream_st {};
struct CUevent_st {
    long long at = -1; // never recorded
};

namespace {

struct ErrorText {
    cudaError error;
    const char *name, *text;
};
constexpr ErrorText error_texts[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {cudaErrorInvalidSymbol, "cudaErrorInvalidSymbol", "invalid device symbol"},
    {cudaErrorInvalidMemcpyDirection, "cudaErrorInvalidMemcpyDirection", "invalid copy direction for memcpy"},
    {cudaErrorInvalidDeviceFunction, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {cudaErrorNoDevice, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {cudaErrorUnsupportedLimit, "cudaErrorUnsupportedLimit", "limit is not supported on this architecture"},
    {cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {cudaErrorNotReady, "cudaErrorNotReady", "device not ready"},
    {cudaErrorIllegalAddress, "cudaErrorIllegalAddress", "an illegal memory access was encountered"},
    {cudaErrorLaunchOutOfResources, "cudaErrorLaunchOutOfResources", "too many resources requested for launch"},
    {cudaErrorLaunchTimeout, "cudaErrorLaunchTimeout", "the launch timed out and was terminated"},
    {cudaErrorAssert, "cudaErrorAssert", "device-side assert triggered"},
    {cudaErrorLaunchFailure, "cudaErrorLaunchFailure", "unspecified launch failure"},
    {cudaErrorNotSupported, "cudaErrorNotSupported", "operation not supported"},
    {cudaErrorUnknown, "cudaErrorUnknown", "unknown error"},
};

cudaError known(const void* handle) {
    Device& state = device();
    if (state.sticky != cudaSuccess) return state.record(state.sticky);
    return state.record(handle == nullptr || state.handles.count(handle) != 0 ? cudaSuccess
                                                                              : cudaErrorInvalidResourceHandle);
}

template <class T> cudaError create(T** handle) {
    if (handle == nullptr) return device().record(cudaErrorInvalidValue);
    *handle = new (std::nothrow) T;
    if (*handle == nullptr) return device().record(cudaErrorMemoryAllocation);
    device().handles.insert(*handle);
    return cudaSuccess;
}

template <class T> cudaError destroy(T* handle) {
    if (device().handles.erase(handle) == 0) return device().record(cudaErrorInvalidResourceHandle);
    delete handle;
    return cudaSuccess;
}

} // namespace

cudaError_t cudaGetLastError() {
    const cudaError error = device().last;
    device().last = device().sticky;
    return error;
}
cudaError_t cudaPeekAtLastError() { return device().last; }

const char* cudaGetErrorName(cudaError_t error) {
    for (const ErrorText& known_error : error_texts)
        if (known_error.error == error) return known_error.name;
    return "unrecognized error code";
}
const char* cudaGetErrorString(cudaError_t error) {
    for (const ErrorText& known_error : error_texts)
        if (known_error.error == error) return known_error.text;
    return "unrecognized error code";
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) { return create(stream); }
cudaError_t cudaStreamDestroy(cudaStream_t stream) { return destroy(stream); }
cudaError_t cudaStreamSynchronize(cudaStream_t stream) { return known(stream); }
cudaError_t cudaEventCreate(cudaEvent_t* event) { return create(event); }
cudaError_t cudaEventDestroy(cudaEvent_t event) { return destroy(event); }

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    if (event == nullptr) return device().record(cudaErrorInvalidResourceHandle);
    for (const void* handle : {static_cast<const void*>(event), static_cast<const void*>(stream)})
        if (const cudaError error = known(handle); error != cudaSuccess) return error;
    event->at = ticks();
    return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    return event != nullptr ? known(event) : device().record(cudaErrorInvalidResourceHandle);
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t from, cudaEvent_t to) {
    for (const cudaEvent_t event : {from, to}) {
        if (event == nullptr) return device().record(cudaErrorInvalidResourceHandle);
        if (const cudaError error = known(event); error != cudaSuccess) return error;
        if (event->at < 0) return device().record(cudaErrorInvalidResourceHandle);
    }
    *milliseconds = static_cast<float>(static_cast<double>(to->at - from->at) * 1e-6);
    return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize() { return known(nullptr); }
cudaError_t cudaGetDevice(int* number) {
    *number = 0;
    return cudaSuccess;
}
cudaError_t cudaSetDevice(int number) { return device().record(number == 0 ? cudaSuccess : cudaErrorInvalidDevice); }
cudaError_t cudaGetDeviceCount(int* count) {
    *count = 1;
    return cudaSuccess;
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value) {
    Device& state = device();
    const auto found = state.limits.find(limit);
    if (found == state.limits.end()) return state.record(cudaErrorUnsupportedLimit);
    const bool aside = limit == cudaLimitPersistingL2CacheSize;
    found->second = aside ? std::min(value, most_set_aside) : value;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit) {
    const auto found = device().limits.find(limit);
    if (found == device().limits.end()) return device().record(cudaErrorUnsupportedLimit);
    *value = found->second;
    return cudaSuccess;
}
cudaError_t cudaCtxResetPersistingL2Cache() { return known(nullptr); }

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int number) {
    if (number != 0) return device().record(cudaErrorInvalidDevice);
    cudaDeviceProp all;
    cudaGetDeviceProperties(&all, 0);
    switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock: *value = all.maxThreadsPerBlock; return cudaSuccess;
    case cudaDevAttrMaxSharedMemoryPerBlock: *value = static_cast<int>(all.sharedMemPerBlock); return cudaSuccess;
    case cudaDevAttrWarpSize: *value = all.warpSize; return cudaSuccess;
    case cudaDevAttrMultiProcessorCount: *value = all.multiProcessorCount; return cudaSuccess;
    case cudaDevAttrMaxThreadsPerMultiProcessor: *value = all.maxThreadsPerMultiProcessor; return cudaSuccess;
    case cudaDevAttrL2CacheSize: *value = all.l2CacheSize; return cudaSuccess;
    case cudaDevAttrMaxPersistingL2CacheSize: *value = all.persistingL2CacheMaxSize; return cudaSuccess;
    case cudaDevAttrComputeCapabilityMajor: *value = all.major; return cudaSuccess;
    case cudaDevAttrComputeCapabilityMinor: *value = all.minor; return cudaSuccess;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
        *value = static_cast<int>(all.sharedMemPerBlockOptin);
        return cudaSuccess;
    }
    return device().record(cudaErrorInvalidValue);
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int number) {
    if (number != 0) return device().record(cudaErrorInvalidDevice);
    cudaDeviceProp all{};
    std::strcpy(all.name, "CPU emulation of compute capability 8.0");
    std::size_t free = 0;
    cudaMemGetInfo(&free, &all.totalGlobalMem);
    all.sharedMemPerBlock = shared_default;
    all.sharedMemPerBlockOptin = shared_opt_in;
    all.sharedMemPerMultiprocessor = 164 << 10;
    all.totalConstMem = 64 << 10;
    all.regsPerBlock = 65536;
    all.warpSize = 32;
    all.maxThreadsPerBlock = most_threads;
    all.maxThreadsDim[0] = all.maxThreadsDim[1] = most_threads;
    all.maxThreadsDim[2] = most_block_z;
    all.maxGridSize[0] = most_grid_x;
    all.maxGridSize[1] = all.maxGridSize[2] = most_grid_yz;
    all.major = 8;
    all.multiProcessorCount = 1; // one block runs at a time
    all.maxThreadsPerMultiProcessor = 2048;
    all.l2CacheSize = 40 << 20;
    all.persistingL2CacheMaxSize = static_cast<int>(most_set_aside);
    *properties = all;
    return cudaSuccess;
}
