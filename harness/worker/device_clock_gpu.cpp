#include "worker/device_clock.hpp"

#include "worker/device_errors.hpp"
#include "worker/device_turns.hpp"

#include <algorithm>
#include <sys/syscall.h>
#include <time.h>

namespace assay {

namespace {

const DeviceTurns* turns = nullptr;

/// An idle device lowers its clocks: it is kept writing for so long before each timed call.
constexpr double awake_seconds = 5e-3;

/// CLOCK_MONOTONIC, of the kernel itself where we can: functions of the C library an attempt may define anew.
double host_seconds() {
    timespec now{};
#if defined(__x86_64__)
    long result = SYS_clock_gettime;
    __asm__ volatile("syscall" : "+a"(result) : "D"(CLOCK_MONOTONIC), "S"(&now) : "rcx", "r11", "memory");
#else
    ::clock_gettime(CLOCK_MONOTONIC, &now);
#endif
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

int attribute(cudaDeviceAttr which) {
    int value = 0;
    must(cudaDeviceGetAttribute(&value, which, 0), "asked for the size of its L2 cache");
    return value;
}

} // namespace

DeviceClock* DeviceClock::at_hand() {
    if (turns == nullptr) return nullptr;
    static DeviceClock& only = *new DeviceClock; // CUDA may be gone before a static object's end
    return &only;
}

DeviceClock::DeviceClock() {
    must(cudaStreamCreateWithFlags(&own_, cudaStreamNonBlocking), "given a stream");
    must(cudaEventCreate(&before_), "given an event");
    must(cudaEventCreate(&after_), "given an event");
    sets_aside_ = attribute(cudaDevAttrMaxPersistingL2CacheSize) > 0;
    // Four times the cache: what is replaced is not the oldest line everywhere.
    flush_bytes_ = std::max<std::size_t>(4 * static_cast<std::size_t>(attribute(cudaDevAttrL2CacheSize)), 32 << 20);
    must(cudaMalloc(&flushed_, flush_bytes_), "asked for the memory that its L2 cache is flushed with");
}

void DeviceClock::prepare() {
    must(cudaDeviceSynchronize(), "waited for");
    // Where the device is shared out (MPS, MIG) that is refused, to an attempt as well.
    if (sets_aside_ && (cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0) != cudaSuccess ||
                        cudaCtxResetPersistingL2Cache() != cudaSuccess)) {
        sets_aside_ = false;
        cudaGetLastError();
    }
    const double begun = host_seconds();
    do {
        must(cudaMemsetAsync(flushed_, ++flushes_ & 255, flush_bytes_, own_), "made to flush its L2 cache");
        must(cudaDeviceSynchronize(), "waited for");
    } while (host_seconds() - begun < awake_seconds);
}

void DeviceClock::start(cudaStream_t stream) {
    turns->begin();
    begun_ = host_seconds();
    must(cudaEventRecord(before_, stream), "given an event");
}

cudaError_t DeviceClock::stop(cudaStream_t stream) {
    recorded_ = cudaEventRecord(after_, stream);
    const cudaError_t waited = cudaDeviceSynchronize();
    host_ = host_seconds() - begun_;
    return waited;
}

void DeviceClock::tell() {
    float milliseconds = 0;
    must_still(recorded_, "its end could not be marked on its stream");
    must_still(cudaEventElapsedTime(&milliseconds, before_, after_), "its time could not be read");
    turns->end(static_cast<double>(milliseconds) * 1e-3, host_);
}

} // namespace assay

extern "C" __attribute__((visibility("default"))) void assay_device_turns(const assay::DeviceTurns* given) {
    assay::turns = given;
}
