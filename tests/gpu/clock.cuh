// Events around a launch, after the L2 cache was flushed.
#ifndef ASSAY_TESTS_GPU_CLOCK_CUH
#define ASSAY_TESTS_GPU_CLOCK_CUH

#include "checked.hpp"
#include "times.hpp"

#include <algorithm>
#include <cstdint>

namespace assay::gpu {

using kernels::checked;

/// Device memory that is given back.
template <class T> class Memory {
  public:
    explicit Memory(std::size_t count) : count_(count) {
        checked(cudaMalloc(&data_, count * sizeof(T)), "device memory");
    }
    ~Memory() { cudaFree(data_); }
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
    T* data() { return data_; }
    std::size_t size() const { return count_; }

  private:
    T* data_ = nullptr;
    std::size_t count_;
};

/// A number in [-1, 1) for an element of a seed's data: the host makes the same.
__host__ __device__ inline float number_at(std::uint64_t seed, std::uint64_t element) {
    std::uint64_t z = seed * 0xd1342543de82ef95u + element * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return static_cast<float>(static_cast<int>((z ^ (z >> 31)) >> 40) - (1 << 23)) * 0x1p-23f;
}

class Clock {
  public:
    Clock() : flush_(flush_bytes()) {
        checked(cudaStreamCreate(&stream_), "a stream");
        checked(cudaEventCreate(&before_), "an event");
        checked(cudaEventCreate(&after_), "an event");
    }
    ~Clock() {
        cudaEventDestroy(before_);
        cudaEventDestroy(after_);
        cudaStreamDestroy(stream_);
    }
    Clock(const Clock&) = delete;
    Clock& operator=(const Clock&) = delete;
    cudaStream_t stream() const { return stream_; }

    /// Milliseconds of `launch`, which is given the stream.
    template <class Launch> double once(Launch launch) {
        checked(cudaMemsetAsync(flush_.data(), ++turn_ & 255, flush_.size(), stream_), "flushing the L2 cache");
        checked(cudaEventRecord(before_, stream_), "an event");
        launch(stream_);
        checked(cudaEventRecord(after_, stream_), "an event");
        checked(cudaEventSynchronize(after_), "a timed kernel");
        float milliseconds = 0.0f;
        checked(cudaEventElapsedTime(&milliseconds, before_, after_), "an event");
        return milliseconds;
    }

    /// `samples` times after two that do not count; `refill(n)` before each gives fresh inputs, `look(n)` after it sees
    /// the outputs.
    template <class Refill, class Launch, class Look>
    void measure(Time& time, int samples, Refill refill, Launch launch, Look look) {
        std::vector<double> all;
        for (int n = -2; n < samples; ++n) {
            refill(n + 2);
            const double milliseconds = once(launch);
            if (n < 0) continue;
            all.push_back(milliseconds);
            look(n + 2);
        }
        std::sort(all.begin(), all.end());
        time.samples = samples;
        time.milliseconds = (all[(all.size() - 1) / 2] + all[all.size() / 2]) / 2;
        time.least = all.front();
        time.most = all.back();
    }

  private:
    cudaStream_t stream_ = nullptr;
    cudaEvent_t before_ = nullptr, after_ = nullptr;
    Memory<unsigned char> flush_;
    int turn_ = 0;

    static std::size_t flush_bytes() {
        int device = 0, bytes = 0;
        checked(cudaGetDevice(&device), "which device this is");
        checked(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, device), "the size of the L2 cache");
        return std::max<std::size_t>(4 * static_cast<std::size_t>(bytes), 64 << 20);
    }
};

} // namespace assay::gpu

#endif
