// Device memory, which is the host's: allocations start as poison, and copies are checked as far as is certain.
#include "device.hpp"

#include <cstdlib>
#include <cstring>

using namespace assay::simt;

namespace {

constexpr std::size_t device_bytes = std::size_t{8} << 30;

std::size_t size_of(std::size_t bytes) { return bytes; }
std::size_t size_of(const Allocation& allocation) { return allocation.bytes; }

/// The region of `regions` that holds `at`, or the end.
template <class Region> auto holding(const std::map<const char*, Region>& regions, const void* at) {
    const char* place = static_cast<const char*>(at);
    auto found = regions.upper_bound(place);
    if (found == regions.begin()) return regions.end();
    --found;
    return place < found->first + size_of(found->second) ? found : regions.end();
}

bool on_device(const void* at) {
    return holding(device().allocations, at) != device().allocations.end() ||
           holding(device().arenas, at) != device().arenas.end();
}

/// False where [at, at + bytes) begins in an allocation and ends beyond it.
bool fits(const void* at, std::size_t bytes) {
    const auto found = holding(device().allocations, at);
    if (found == device().allocations.end()) return true;
    return bytes <= static_cast<std::size_t>(found->first + found->second.bytes - static_cast<const char*>(at));
}

/// What only the other direction explains. Host memory and the attempt's own __device__ variables cannot be told apart.
bool wrong_direction(const void* to, const void* from, cudaMemcpyKind kind) {
    if (kind == cudaMemcpyHostToDevice) return on_device(from) && !on_device(to);
    if (kind == cudaMemcpyDeviceToHost) return on_device(to) && !on_device(from);
    return kind == cudaMemcpyHostToHost && (on_device(to) || on_device(from));
}

cudaError copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
    if (bytes == 0) return cudaSuccess;
    if (to == nullptr || from == nullptr || wrong_direction(to, from, kind) || !fits(to, bytes) || !fits(from, bytes))
        return cudaErrorInvalidValue;
    const OpenMemory open;
    std::memmove(to, from, bytes);
    return cudaSuccess;
}

} // namespace

cudaError_t cudaMalloc(void** pointer, std::size_t bytes) {
    Device& state = device();
    if (state.sticky != cudaSuccess) return state.record(state.sticky);
    if (pointer == nullptr) return state.record(cudaErrorInvalidValue);
    *pointer = nullptr;
    if (bytes == 0) return cudaSuccess;
    std::size_t held = bytes;
    for (const auto& [begin, allocation] : state.allocations) held += allocation.bytes;
    const std::size_t guard = is_sanitised() ? 0 : guard_bytes;
    void* given = nullptr;
    // 256 bytes is what cudaMalloc aligns to.
    if (held > device_bytes || ::posix_memalign(&given, 256, bytes + guard) != 0)
        return state.record(cudaErrorMemoryAllocation);
    char* begin = static_cast<char*>(given);
    fill(begin, begin + bytes, state.poison);
    fill(begin + bytes, begin + bytes + guard, state.poison);
    state.allocations[begin] = {bytes, state.poison};
    *pointer = given;
    return cudaSuccess;
}

cudaError_t cudaFree(void* pointer) {
    Device& state = device();
    if (state.sticky != cudaSuccess) return state.record(state.sticky);
    if (pointer == nullptr) return cudaSuccess;
    const auto found = state.allocations.find(static_cast<const char*>(pointer));
    if (found == state.allocations.end()) return state.record(cudaErrorInvalidValue);
    check_guard(found->first, found->second);
    state.allocations.erase(found);
    std::free(pointer);
    return cudaSuccess;
}

cudaError_t cudaMallocHost(void** pointer, std::size_t bytes, unsigned) {
    if (pointer == nullptr) return device().record(cudaErrorInvalidValue);
    *pointer = std::malloc(bytes == 0 ? 1 : bytes);
    return device().record(*pointer != nullptr ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaFreeHost(void* pointer) {
    std::free(pointer);
    return cudaSuccess;
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    Device& state = device();
    return state.record(state.sticky != cudaSuccess ? state.sticky : copy(to, from, bytes, kind));
}

cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                         std::size_t height, cudaMemcpyKind kind) {
    Device& state = device();
    if (state.sticky != cudaSuccess) return state.record(state.sticky);
    if (width > to_pitch || width > from_pitch) return state.record(cudaErrorInvalidValue);
    for (std::size_t row = 0; row < height; ++row)
        if (const cudaError error = copy(static_cast<char*>(to) + row * to_pitch,
                                         static_cast<const char*>(from) + row * from_pitch, width, kind);
            error != cudaSuccess)
            return state.record(error);
    return cudaSuccess;
}

cudaError_t cudaMemset(void* pointer, int value, std::size_t bytes) {
    Device& state = device();
    if (state.sticky != cudaSuccess) return state.record(state.sticky);
    if (bytes == 0) return cudaSuccess;
    if (pointer == nullptr || !fits(pointer, bytes)) return state.record(cudaErrorInvalidValue);
    const OpenMemory open;
    std::memset(pointer, value, bytes);
    return cudaSuccess;
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
    *total = *free = device_bytes;
    for (const auto& [begin, allocation] : device().allocations) *free -= allocation.bytes;
    return cudaSuccess;
}

namespace assay::simt {

bool check_guard(const char* begin, const Allocation& allocation) {
    const char* end = begin + allocation.bytes;
    if (is_sanitised() || is_filled(end, end + guard_bytes, allocation.guard)) return true;
    device().findings.add(
        {"overrun",
         "memory from cudaMalloc was written past the end of its " + std::to_string(allocation.bytes) + " bytes",
         "cudaMalloc", 0, "", false});
    return false;
}

cudaError_t copy_to_symbol(void* symbol, std::size_t size, const void* from, std::size_t bytes, std::size_t offset) {
    if (offset > size || bytes > size - offset) return device().record(cudaErrorInvalidValue);
    return cudaMemcpy(static_cast<char*>(symbol) + offset, from, bytes, cudaMemcpyDefault);
}

cudaError_t copy_from_symbol(void* to, const void* symbol, std::size_t size, std::size_t bytes, std::size_t offset) {
    if (offset > size || bytes > size - offset) return device().record(cudaErrorInvalidValue);
    return cudaMemcpy(to, static_cast<const char*>(symbol) + offset, bytes, cudaMemcpyDefault);
}

} // namespace assay::simt
